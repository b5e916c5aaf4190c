import { expect, test } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { check, looks, sizes } from './check-screen.ts'
import { callApi, openMember } from './person.ts'
import { inShell } from './shell.ts'

const twoLooks = looks.filter(({ name }) => name === 'narrow-light' || name === 'phone-dark')
const paymentPage = '/settings/payment?id=00000000-0000-4000-8000-000000000000'
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Checks a long screen with this part in the middle of the picture. */
async function checkAround(part: Locator, screen: string): Promise<void> {
  for (const look of twoLooks) {
    await part.page().setViewportSize(look.size)
    await part.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    await check(part.page(), screen, [look])
  }
}

/** Shows a payment in this state, whatever the server has stored. */
async function showPayment(page: Page, state: object, query = ''): Promise<void> {
  await page.unrouteAll()
  const json = { kind: 'upgrade', status: 'pending', gift: null, ...state }
  await page.route('**/api/subscription/payments/*', (route) => route.fulfill({ json }))
  await page.goto(paymentPage + query)
}

test(
  'the settings that sell premium are accessible on a narrow phone and in the dark',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const ada = await openMember(browser, project.name, 'ada', '1815')
    const { page } = ada
    const dialog = page.getByRole('dialog')
    await inShell(page)
    await page.goto('/settings')
    await expect(page.getByRole('heading', { name: 'Mobile subscription' })).toBeVisible()
    await checkAround(button(page, 'Gift premium'), '60-cards')
    await checkAround(button(page, 'Restore purchases'), '61-store')

    await page.getByRole('button', { name: /^Upgrade to Premium/ }).click()
    await expect(dialog.getByText(/No money is taken/)).toBeVisible()
    await check(page, '62-upgrade', twoLooks)
    await page.keyboard.press('Escape')

    await button(page, 'Gift premium').click()
    await button(page, 'Send gift').click()
    await expect(dialog.getByText('Please enter recipient email').first()).toBeVisible()
    await check(page, '63-gift', twoLooks)
    await page.getByLabel('Recipient email').fill(`a.long.address.of.${ada.username}@example.com`)
    await button(page, 'Send gift').click()
    await expect(dialog.getByRole('heading', { name: 'Your gift is on its way' })).toBeVisible()
    await check(page, '64-gift-sent', twoLooks)
    await page.setViewportSize(sizes.narrow)
    const hiddenWidth = await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expect(hiddenWidth, 'pixels of a long address beyond the dialog').toBe(0)
    await button(page, 'Done').click()

    await button(page, 'Redeem code').click()
    await page.getByLabel('Upgrade code', { exact: true }).fill('ABCD-EFGH-JKMN-PQRS')
    await button(page, 'Redeem').click()
    await expect(dialog.locator('[aria-invalid=true]')).toBeVisible()
    await check(page, '65-redeem', twoLooks)
    await page.keyboard.press('Escape')

    await button(page, 'Enter promo code').click()
    await page.getByRole('textbox', { name: 'Promo code' }).fill('SUMMER24')
    await check(page, '66-promo', twoLooks)
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: /^Upgrade to Premium/ }).click()
    await button(page, 'Upgrade').click()
    await expect(dialog.getByText(/^Unlimited until /).first()).toBeVisible()
    await check(page, '67-upgraded', twoLooks)
    const { upgradeCode } = await callApi<{ upgradeCode: string }>(ada, '/api/subscription/gift', {
      recipientEmail: `${ada.username}@example.com`,
    })
    await callApi(ada, '/api/subscription/redeem', { upgradeCode })
    await page.goto('/settings')
    const reasons = page.getByRole('list', { name: 'Why you have Premium' })
    await expect(reasons).toContainText('Gift')
    await checkAround(reasons, '68-plan')

    const at = '2026-11-22T12:00:00.000Z'
    const ended = [
      { what: 'received-gift', reason: 'refunded', at },
      { what: 'upgrade', reason: 'disputed', at },
    ]
    const json = { premiumUntil: null, segments: [], ended }
    await page.route('**/api/subscription/timeline', (route) => route.fulfill({ json }))
    await page.goto('/settings')
    const endings = page.getByRole('list', { name: 'What has ended' })
    await expect(endings).toContainText('The payment was refunded.')
    await checkAround(endings, '69-ended')
    await ada.context.close()
  },
)

test(
  'the page behind a payment is accessible on a narrow phone and in the dark, however the payment ends',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const { page, context } = await openMember(browser, project.name, 'ada', '1815')
    await showPayment(page, {}, '&cancelled=1')
    await expect(button(page, 'Try again')).toBeVisible()
    await check(page, '70-payment-cancelled', twoLooks)
    await showPayment(page, { status: 'refunded' })
    await expect(page.getByText(/^This payment was refunded/)).toBeVisible()
    await check(page, '71-payment-refunded', twoLooks)
    await showPayment(page, { status: 'disputed' })
    await expect(page.getByText(/because it was disputed/)).toBeVisible()
    await check(page, '71-payment-disputed', twoLooks)
    await showPayment(page, { status: 'paid' })
    await expect(page.getByText('Thank you. You now have unlimited messaging!')).toBeVisible()
    await check(page, '72-payment-paid', twoLooks)
    await showPayment(page, {
      kind: 'gift',
      status: 'paid',
      gift: { upgradeCode: 'F3K9-QW2M-7ZTB-4XHD', recipientEmail: 'ben@example.com' },
    })
    await expect(page.getByText('F3K9-QW2M-7ZTB-4XHD', { exact: true })).toBeVisible()
    await check(page, '73-payment-gift', twoLooks)
    await page.clock.install()
    await showPayment(page, {})
    await expect(page.getByText('Confirming your payment...')).toBeVisible()
    await check(page, '74-payment', twoLooks)
    await expect(async () => {
      await page.clock.runFor(2000)
      await expect(page.getByText(/takes longer than usual/)).toBeVisible({ timeout: 100 })
    }).toPass()
    await check(page, '75-payment-late', twoLooks)
    await context.close()
  },
)
