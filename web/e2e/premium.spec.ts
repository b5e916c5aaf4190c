import { expect, test } from '@playwright/test'
import { openPair, readGiftCode, send } from './person.ts'

test.use({ viewport: { width: 390, height: 844 } })

test(
  'one upgrades from the limit, a friend redeems a gift, and both chats become unlimited without a reload',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name)
    const { page } = ada
    await ben.page.getByRole('link', { name: new RegExp(ada.username) }).click()
    await send(ada, 'the free one')
    await expect(ben.page.getByText('the free one')).toBeVisible()

    await test.step('the limit names the way out', async () => {
      await expect(
        page.getByText('Daily message limit reached. Upgrade to premium for unlimited messages.'),
      ).toBeVisible()
      await expect(page.getByText(/^Next free message at /)).toBeVisible()
      await expect(page.getByPlaceholder('Type your message...')).toBeDisabled()
      await ada.picture('limit')
      await page.getByRole('link', { name: 'Upgrade to Premium' }).click()
    })

    await test.step('the upgrade says what it costs, and that no money is taken here', async () => {
      const dialog = page.getByRole('dialog', { name: 'Upgrade to Premium' })
      await expect(dialog.getByText('$29', { exact: true })).toBeVisible()
      await expect(dialog.getByText(/No money is taken/)).toBeVisible()
      await ada.picture('upgrade')
      await dialog.getByRole('button', { name: 'Upgrade' }).click()
      await expect(page.getByText(/^Unlimited until /)).toBeVisible()
      await ada.picture('upgraded')
      await page.getByRole('button', { name: 'Done' }).click()
      await expect(page.getByRole('list', { name: 'Why you have Premium' })).toContainText('Upgrade')
      await ada.picture('settings')
    })

    await test.step('the other side, which has not touched anything, is unlimited too', async () => {
      await expect(ben.page.getByText('This will use your last free message today')).toBeHidden()
      for (const text of ['one', 'two', 'three']) await send(ben, text)
      await expect(ben.page.getByText('three', { exact: true })).toBeVisible()
      await expect(ben.page.getByText(/Daily message limit reached/)).toBeHidden()
      await page.getByRole('button', { name: 'Back', exact: true }).first().click()
      await page.getByRole('link', { name: new RegExp(ben.username) }).click()
      for (const text of ['four', 'five']) await send(ada, text)
      await expect(ben.page.getByText('five', { exact: true })).toBeVisible()
    })

    await test.step('a friend with a used-up limit redeems a gift, and both sides of that chat go on without a reload', async () => {
      const [cleo, dan] = await openPair(browser, project.name)
      await dan.page.getByRole('link', { name: new RegExp(cleo.username) }).click()
      for (const friend of [cleo, dan]) {
        await send(friend, 'the free one')
        await expect(friend.page.getByText(/^Daily message limit reached/)).toBeVisible()
        await friend.page.evaluate(() => Object.assign(window, { isTheSamePage: true }))
      }
      await page.goto('/settings')
      await page.getByRole('button', { name: 'Gift premium' }).click()
      await page.getByLabel('Recipient email').fill(`${cleo.username}@example.com`)
      await page.getByLabel('Gift message (optional)').fill('For all our sums')
      await page.getByRole('button', { name: 'Send gift' }).click()
      const code = await readGiftCode(cleo)
      await expect(page.getByRole('dialog').getByText(code, { exact: true }).first()).toBeVisible()
      await ada.picture('gift')

      await cleo.page.getByRole('link', { name: 'Upgrade to Premium' }).click()
      await cleo.page.getByRole('button', { name: 'Not now' }).click()
      await expect(cleo.page.getByText('Free Plan')).toBeVisible()
      await cleo.page.getByRole('button', { name: 'Redeem code' }).click()
      await cleo.page.getByLabel('Upgrade code', { exact: true }).fill(code)
      await cleo.page.getByRole('button', { name: 'Redeem', exact: true }).click()
      await expect(cleo.page.getByText(/^Unlimited until /)).toBeVisible()
      await cleo.page.getByRole('button', { name: 'Done' }).click()
      await expect(cleo.page.getByText('Free Plan')).toBeHidden()
      await cleo.picture('redeemed')

      await expect(dan.page.getByText(/^Daily message limit reached/)).toBeHidden()
      for (const text of ['one more', 'and another']) await send(dan, text)
      await cleo.page.getByRole('button', { name: 'Back', exact: true }).click()
      await cleo.page.getByRole('link', { name: new RegExp(dan.username) }).click()
      await expect(cleo.page.getByRole('log').getByText('and another')).toBeVisible()
      for (const text of ['an answer', 'and a last one']) await send(cleo, text)
      await expect(dan.page.getByRole('log').getByText('and a last one')).toBeVisible()
      for (const friend of [cleo, dan]) {
        expect(await friend.page.evaluate(() => 'isTheSamePage' in window)).toBe(true)
        await friend.context.close()
      }
    })
    for (const { context } of [ada, ben]) await context.close()
  },
)
