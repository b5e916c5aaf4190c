import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { callApi, openMember, openVisitor, password } from './person.ts'
import type { Visitor } from './person.ts'
import { finishedIn, inShell } from './shell.ts'

test.use({ viewport: { width: 390, height: 844 } })

const card = (page: Page) => page.getByRole('heading', { name: 'Mobile subscription' })

/** Gives a year of premium, as a confirmed purchase does. */
async function givePremium(member: Visitor): Promise<void> {
  const { upgradeCode } = await callApi<{ upgradeCode: string }>(member, '/api/subscription/gift', {
    recipientEmail: `${member.username}@example.com`,
  })
  await callApi(member, '/api/subscription/redeem', { upgradeCode })
}

test(
  'in a native shell, the store sells premium to those without it, and what the server does not confirm brings nothing',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const ada = await openMember(browser, project.name, 'ada', '1815')
    const { page } = ada
    await inShell(page)
    await page.goto('/settings')
    await expect(card(page)).toBeVisible()

    await test.step('the server of these tests has no account at the store', async () => {
      await page.getByRole('button', { name: 'Premium, monthly' }).click()
      await expect(page.getByText('Product not found', { exact: true })).toBeVisible()
      await page.getByRole('button', { name: /^A year of Premium .*CHF 30$/ }).click()
      await expect(page.getByText('Validation Error', { exact: true })).toBeVisible()
      await expect(
        page.getByText('The store cannot be reached right now. Your purchase is not lost').first(),
      ).toBeVisible()
      await expect(page.getByText('Free Plan')).toBeVisible()
      expect(await finishedIn(page)).toEqual([])
    })

    await test.step('the same purchase is restored once the server confirms it', async () => {
      await page.route('**/api/mobile-subscription/validate-android', async (route) => {
        await givePremium(ada)
        await route.fulfill({ json: { subscriptionType: 'premium', subscriptionExpiresAt: null } })
      })
      await page.getByRole('button', { name: 'Restore purchases' }).click()
      await expect(page.getByText('Subscription Activated', { exact: true })).toBeVisible()
      await expect(card(page)).toBeHidden()
      expect(await finishedIn(page)).toEqual(['bought-in-the-shell'])
      await page.goto('/settings')
      await expect(page.getByRole('list', { name: 'Why you have Premium' })).toBeVisible()
      await expect(card(page)).toBeHidden()
    })
    await ada.context.close()
  },
)

test(
  'a link with a promo code, opened signed out, leads through the sign-in to the dialog with the code',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const member = await openMember(browser, project.name, 'ada', '1815')
    const visitor = await openVisitor(browser, project.name, 'link', '1815')
    const { page } = visitor
    await page.goto('/redeem?code=abc')
    await expect(page).toHaveURL('/auth')
    await page.getByLabel('Username').first().fill(member.username)
    await page.getByLabel('Password', { exact: true }).first().fill(password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/settings')
    const dialog = page.getByRole('dialog', { name: 'Redeem promo code' })
    await expect(dialog.getByRole('textbox', { name: 'Promo code' })).toHaveValue('ABC')
    await expect(card(page)).toBeHidden()
    await dialog.getByRole('button', { name: 'Redeem in the store' }).click()
    await expect(page.getByText('Mobile app required', { exact: true })).toBeVisible()
    for (const { context } of [member, visitor]) await context.close()
  },
)
