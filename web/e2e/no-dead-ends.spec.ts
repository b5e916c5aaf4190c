import { expect, test } from '@playwright/test'
import { openPair, password, pressKeys, send } from './person.ts'

test.use({ viewport: { width: 390, height: 844 } })

test(
  'a person who forgot the number in discreet mode signs in again, resets the app and sets another one',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name)
    const { page, username } = ada
    await send(ada, 'from before')
    await expect(ben.page.getByText('from before')).toBeVisible()
    await page.goto('/settings')
    const oldCode = await page.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}-.$/).innerText()

    await test.step('the code is shown as a picture and replaced', async () => {
      await page.getByRole('button', { name: 'Show QR code' }).click()
      await expect(page.getByRole('img', { name: `QR code of ${oldCode}` })).toBeVisible()
      await ada.picture('qr')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Get a new code' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Get a new code' }).click()
      await expect(page.getByText('You have a new code', { exact: true })).toBeVisible()
      await expect(page.getByText(oldCode, { exact: true })).toBeHidden()
    })

    await test.step('signed in again, the whole Settings offer the reset', async () => {
      await page.getByRole('switch', { name: 'Discreet mode' }).click()
      await page.getByRole('button', { name: 'Logout' }).click()
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('button', { name: 'Settings' }).click()
      await page.getByLabel('Username').first().fill(username)
      await page.getByLabel('Password', { exact: true }).first().fill(password)
      await page.getByRole('button', { name: 'Sign In' }).click()
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('button', { name: 'Settings' }).click()
      await page.getByRole('button', { name: 'Reset app' }).click()
      await ada.picture('reset')
      await page.getByLabel('Account password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Delete everything and reset' }).click()
      await expect(page.getByRole('heading', { name: 'Setup Security Password' })).toBeVisible()
    })

    await test.step('the new number opens an empty list, and the other side keeps the conversation', async () => {
      await page.getByLabel('Numeric Password', { exact: true }).fill('97531')
      await page.getByLabel('Confirm Numeric Password', { exact: true }).fill('97531')
      await page.getByRole('button', { name: 'Set Password & Continue' }).click()
      await page.getByRole('button', { name: 'Skip - I Got It' }).click()
      await pressKeys(page, '+97531=')
      await expect(page.getByText('No conversations yet')).toBeVisible()
      await expect(ben.page.getByText('from before')).toBeVisible()
    })
    for (const { context } of [ada, ben]) await context.close()
  },
)
