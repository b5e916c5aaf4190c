import { expect, test } from '@playwright/test'
import { withDatabase } from '@sumlock/testing/database'
import { sharedStack } from '@sumlock/testing/shared-stack'
import {
  callApi,
  openMember,
  openPair,
  password,
  pressKeys,
  readCode,
  readLink,
  send,
  unlockOnKeypad,
} from './person.ts'

test.use({ viewport: { width: 390, height: 844 } })

test(
  'a person who forgot the number in discreet mode signs in again, resets the app a day later and sets another one',
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

    const signIn = async () => {
      await page.goto('/auth')
      await page.getByLabel('Username').first().fill(username)
      await page.getByLabel('Password', { exact: true }).first().fill(password)
      await page.getByRole('button', { name: 'Sign In' }).click()
    }
    const askForReset = async () => {
      await page.goto('/settings')
      await page.getByRole('button', { name: 'Logout' }).click()
      // The calculator is shown at once, and the page is loaded anew behind it.
      await expect(page).toHaveURL('/')
      await expect(page.getByRole('button', { name: '=', exact: true })).toBeVisible()
      await signIn()
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('button', { name: 'Settings' }).click()
      await page.getByRole('button', { name: 'Reset app' }).click()
      await ada.picture('reset')
      await page.getByLabel('Account password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Delete everything in 24 hours' }).click()
      await expect(page.getByText(/The app will be reset on/)).toBeVisible()
      await page.getByRole('button', { name: 'Done' }).click()
      await expect(page.getByText(/“Reset app” takes place on/)).toBeVisible()
      await ada.picture('reset-waits')
    }

    await test.step('signed in again, the whole Settings offer the reset, which waits until the right number cancels it', async () => {
      await page.getByRole('switch', { name: 'Discreet mode' }).click()
      await expect(page.getByRole('switch', { name: 'Discreet mode' })).toBeChecked()
      await askForReset()
      await page.goto('/')
      await pressKeys(page, '+1815=')
      await expect(page.getByText('“Reset app” was cancelled')).toBeVisible()
      await ada.picture('reset-cancelled')
      await expect(page.getByText('from before')).toBeVisible()
    })

    await test.step('a reset whose day is over leads from the next sign-in to the set-up', async () => {
      await askForReset()
      await withDatabase(await sharedStack(), 'auth', (database) =>
        database
          .collection('users')
          .updateOne(
            { username },
            { $set: { 'pendingReset.dueAt': new Date(0), 'pendingReset.tryAt': new Date(0) } },
          ),
      )
      await expect.poll(async () => (await ada.context.request.get('/api/user')).status()).toBe(401)
      await signIn()
      await expect(page.getByRole('heading', { name: 'Setup Security Password' })).toBeVisible()
    })

    await test.step('the new number opens an empty list, and the other side keeps the conversation', async () => {
      await page.getByLabel('Security Password', { exact: true }).fill('97531')
      await page.getByLabel('Confirm Security Password', { exact: true }).fill('97531')
      await page.getByRole('button', { name: 'Set Password & Continue' }).click()
      await page.getByRole('button', { name: 'Skip - I Got It' }).click()
      await pressKeys(page, '+97531=')
      await expect(page.getByText('No conversations yet')).toBeVisible()
      await expect(ben.page.getByText('from before')).toBeVisible()
    })
    for (const { context } of [ada, ben]) await context.close()
  },
)

test(
  'a person signs out a lost phone, deletes the account and keeps it after all',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const ada = await openMember(browser, project.name, 'ada', '1815')
    const { page, username } = ada
    const lost = await browser.newContext()
    await callApi({ context: lost }, '/api/login', { username, password })

    await test.step('the lost phone is signed out at once', async () => {
      await page.goto('/settings')
      await page.getByRole('button', { name: 'Devices' }).click()
      await expect(page.getByText('This device')).toBeVisible()
      await ada.picture('devices')
      await page.getByRole('button', { name: /^Sign out / }).click()
      await page.getByLabel('Account password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign out device' }).click()
      await expect(page.getByText('That device is signed out.')).toBeVisible()
      await page.getByRole('button', { name: 'Done' }).click()
      await expect(page.getByText('You are not signed in anywhere else.')).toBeVisible()
      await expect.poll(async () => (await lost.request.get('/api/user')).status()).toBe(401)
    })

    await test.step('a deletion signs out, and the next sign-in offers to keep the account', async () => {
      await page.getByRole('button', { name: 'Back' }).click()
      await page.getByRole('button', { name: 'Delete account' }).click()
      await ada.picture('delete')
      await page.getByLabel('Account password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Delete my account' }).click()
      // The calculator is shown at once, and the page is loaded anew behind it.
      await expect(page).toHaveURL('/')
      await expect(page.getByRole('button', { name: '=', exact: true })).toBeVisible()
      await page.goto('/auth')
      await page.getByLabel('Username').first().fill(username)
      await page.getByLabel('Password', { exact: true }).first().fill(password)
      await page.getByRole('button', { name: 'Sign In' }).click()
      await expect(page.getByRole('heading', { name: 'Your account will be deleted' })).toBeVisible()
      await ada.picture('keep')
      await page.getByRole('button', { name: 'Keep my account' }).click()
      await expect(page.getByRole('heading', { name: 'Your account will be deleted' })).toBeHidden()
    })

    await test.step('the kept account opens with its number', async () => {
      await page.goto('/')
      await pressKeys(page, '+1815=')
      await expect(page.getByRole('heading', { name: 'Secure Messages' })).toBeVisible()
    })
    for (const context of [ada.context, lost]) await context.close()
  },
)

test(
  'a person changes name, e-mail address and phone number, and the link in the new mailbox decides',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const ada = await openMember(browser, project.name, 'ada', '1815')
    const { page, username } = ada
    await unlockOnKeypad(ada)
    await page.getByRole('button', { name: 'Settings' }).click()
    const dialog = page.getByRole('dialog')
    const confirm = async (action: string) => {
      await dialog.getByLabel('Account password', { exact: true }).fill(password)
      await dialog.getByRole('button', { name: action }).click()
    }

    await test.step('the name is changed with the account password', async () => {
      await page.getByRole('button', { name: 'Full name' }).click()
      await dialog.getByLabel('New full name').fill('Ada King')
      await confirm('Change full name')
      await dialog.getByRole('button', { name: 'Done' }).click()
      await expect(page.getByRole('button', { name: 'Full name Ada King' })).toBeVisible()
    })

    await test.step('the phone number is changed after its code', async () => {
      const phone = `+1555${String(Date.now()).slice(-7)}`
      await page.getByRole('button', { name: /^Phone/ }).click()
      await dialog.getByLabel('New phone number').fill(phone)
      await dialog.getByRole('button', { name: 'Send Code' }).click()
      await dialog.getByLabel('Digit 1').fill(await readCode(phone))
      await dialog.getByRole('button', { name: 'Verify Code' }).click()
      await confirm('Change phone number')
      await dialog.getByRole('button', { name: 'Done' }).click()
      await expect(page.getByRole('button', { name: `Phone ${phone}` })).toBeVisible()
    })

    await test.step('the e-mail address is changed by the link that goes to the new one', async () => {
      const email = `new-${username}@example.com`
      await page.getByRole('button', { name: /^Email/ }).click()
      await dialog.getByLabel('New email address').fill(email)
      await confirm('Send link to the new address')
      await expect(dialog.getByText(/until then the present address stays/)).toBeVisible()
      const tab = await ada.context.newPage()
      await tab.goto(await readLink({ ...ada, username: `new-${username}` }, '/verify-email'))
      await expect(tab.getByRole('heading', { name: 'Email Verified!' })).toBeVisible()
      const user = (await (await ada.context.request.get('/api/user')).json()) as { email: string }
      expect(user.email).toBe(email)
    })
    await ada.context.close()
  },
)
