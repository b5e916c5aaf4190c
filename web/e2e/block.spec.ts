import { expect, test } from '@playwright/test'
import { openPair, send } from './person.ts'

test.use({ viewport: { width: 390, height: 844 } })

test(
  'a person blocks the other one, sees nothing of what is sent, and unblocks',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    const { page } = ada
    await ben.page.getByRole('link', { name: new RegExp(ada.username) }).click()
    await send(ben, 'before the block')
    await expect(page.getByText('before the block')).toBeVisible()

    await test.step('the menu of the chat says what a block means', async () => {
      await page.getByRole('button', { name: 'Conversation options' }).click()
      await ada.picture('options')
      await page.getByRole('button', { name: 'Block' }).click()
      await expect(page.getByText(/is not told/)).toBeVisible()
      await page.getByRole('dialog').getByRole('button', { name: 'Block', exact: true }).click()
      await expect(page.getByText(/^You blocked /)).toBeVisible()
      await expect(page.getByLabel('Message', { exact: true })).toBeHidden()
    })

    await test.step('what is sent then is a deleted message, also after unblocking', async () => {
      // Another replica of the service applies a block a second later.
      await expect(async () => {
        await send(ben, 'into the void')
        // No event announces it, so the page shows it after its next fetch.
        await page.evaluate(() => window.dispatchEvent(new Event('focus')))
        await expect(page.getByText('Deleted message').last()).toBeVisible({ timeout: 2000 })
      }).toPass()
      await expect(ben.page.getByText('into the void').last()).toBeVisible()
      await page.getByRole('button', { name: 'Unblock' }).click()
      await expect(page.getByPlaceholder('Type your message...')).toBeVisible()
      await expect(page.getByText('Deleted message').last()).toBeVisible()
    })

    await test.step('after unblocking both talk again', async () => {
      await expect(async () => {
        await send(ben, 'can you hear me?')
        await expect(page.getByText('can you hear me?').first()).toBeVisible({ timeout: 2000 })
      }).toPass()
    })
    for (const { context } of [ada, ben]) await context.close()
  },
)
