import { expect, test } from '@playwright/test'
import { callApi, openMember } from './person.ts'
import { inShell } from './shell.ts'
import { activate, tabTo } from './tab-to.ts'

test(
  'a person upgrades, gives, redeems and tries a payment again with the keyboard alone',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const ada = await openMember(browser, project.name, 'ada', '1815')
    const { page } = ada
    const { keyboard } = page
    const dialog = page.getByRole('dialog')
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
    await ada.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await inShell(page)
    await page.goto('/settings')
    await expect(page.getByRole('heading', { name: 'Mobile subscription' })).toBeVisible()

    await test.step('the store and the promo code', async () => {
      await activate(page, button(/^A year of Premium/))
      await expect(page.getByText('Validation Error', { exact: true })).toBeVisible()
      await expect(button(/^A year of Premium/)).toBeFocused()
      await activate(page, button('Restore purchases'))
      await activate(page, button('Enter promo code'))
      await expect(dialog.getByRole('textbox', { name: 'Promo code' })).toBeFocused()
      await keyboard.press('Enter')
      await expect(dialog.getByText('Please enter a promo code.').first()).toBeVisible()
      await activate(page, button('Cancel'))
      await expect(button('Enter promo code')).toBeFocused()
    })

    await test.step('a payment that was not made leads back to the upgrade', async () => {
      const json = { kind: 'upgrade', status: 'pending', gift: null }
      await page.route('**/api/subscription/payments/*', (route) => route.fulfill({ json }))
      await page.goto('/settings/payment?id=00000000-0000-4000-8000-000000000000&cancelled=1')
      await activate(page, button('Try again'))
      await expect(dialog.getByRole('button', { name: 'Upgrade', exact: true })).toBeFocused()
      await keyboard.press('Escape')
      await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeFocused()
    })

    await test.step('an upgrade, which takes its button away', async () => {
      await activate(page, button(/^Upgrade to Premium/))
      await keyboard.press('Enter')
      await expect(dialog.getByText(/^Unlimited until /).first()).toBeVisible()
      await expect(button('Done')).toBeFocused()
      await keyboard.press('Enter')
      await expect(page.getByRole('list', { name: 'Why you have Premium' })).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Subscription', exact: true })).toBeFocused()
    })

    await test.step('a gift, whose code is copied and redeemed', async () => {
      await activate(page, button('Gift premium'))
      await expect(page.getByLabel('Recipient email')).toBeFocused()
      await keyboard.press('Enter')
      await expect(dialog.getByText('Please enter recipient email').first()).toBeVisible()
      await expect(page.getByLabel('Recipient email')).toBeFocused()
      await keyboard.type(`${ada.username}@example.com`)
      await tabTo(page, page.getByLabel('Gift message (optional)'))
      await activate(page, button('Send gift'))
      await expect(dialog.getByRole('heading', { name: 'Your gift is on its way' })).toBeVisible()
      await activate(page, button('Copy upgrade code'))
      await expect(page.getByText('The upgrade code has been copied').first()).toBeVisible()
      await activate(page, button('Done'))
      await expect(button('Gift premium')).toBeFocused()
      await activate(page, button('Redeem code'))
      await expect(page.getByLabel('Upgrade code', { exact: true })).toBeFocused()
      await keyboard.press('Control+v')
      await keyboard.press('Enter')
      await expect(dialog.getByText(/^Unlimited until /).first()).toBeVisible()
      await keyboard.press('Escape')
      await expect(button('Redeem code')).toBeFocused()
    })

    await test.step('a subscription in the store, whose card goes away with it', async () => {
      const ben = await openMember(browser, project.name, 'ben', '0070')
      await inShell(ben.page)
      await ben.page.route('**/api/mobile-subscription/validate-android', async (route) => {
        const { upgradeCode } = await callApi<{ upgradeCode: string }>(ben, '/api/subscription/gift', {
          recipientEmail: `${ben.username}@example.com`,
        })
        await callApi(ben, '/api/subscription/redeem', { upgradeCode })
        await route.fulfill({ json: { subscriptionType: 'premium', subscriptionExpiresAt: null } })
      })
      await ben.page.goto('/settings')
      await activate(ben.page, ben.page.getByRole('button', { name: /^A year of Premium/ }))
      await expect(ben.page.getByRole('heading', { name: 'Subscription', exact: true })).toBeFocused()
      await ben.context.close()
    })
    await ada.context.close()
  },
)
