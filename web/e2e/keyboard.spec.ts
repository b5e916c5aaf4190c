import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { openMember, openVisitor, password, readCode } from './person.ts'
import { markPage, waitUntilReplaced } from './replaced-page.ts'
import { activate, tabTo } from './tab-to.ts'
import { pressEscapeTwice } from './timed-input.ts'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** Leaves to the calculator of the next page. */
async function leaveBy(page: Page, leave: () => Promise<void>): Promise<void> {
  await markPage(page)
  await leave()
  await waitUntilReplaced(page)
  await expect(button(page, '=')).toBeVisible()
}

test(
  'a person signs up, unlocks, writes, changes settings, leaves and signs in again with the keyboard alone',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const ben = await openMember(browser, project.name, 'ben', '0070')
    const visitor = await openVisitor(browser, project.name, 'keys', '4821')
    const { page, phone, username, pin } = visitor
    const { keyboard } = page

    await test.step('the terms, the calculator and its tape', async () => {
      await page.goto('/')
      await activate(page, button(page, 'Accept and Continue'))
      await keyboard.type('2+3')
      await keyboard.press('Enter')
      await expect(page.getByRole('status', { name: 'Result' })).toHaveText('5')
      await keyboard.type('C')
      await keyboard.press('Escape')
      await activate(page, button(page, '2 + 3 = 5'))
      await expect(page.getByRole('status', { name: 'Result' })).toHaveText('5')
      await activate(page, button(page, 'Clear history'))
      await expect(page.getByRole('region', { name: 'History' })).toBeHidden()
    })

    await test.step('the menu leads to the sign-up; its form, the phone step and the set-up', async () => {
      await activate(page, button(page, 'Menu'))
      await activate(page, button(page, 'Settings'))
      await expect(page).toHaveURL('/auth')
      await expect(title(page, 'Calculator')).toBeFocused()
      await tabTo(page, page.getByRole('tab', { name: 'Sign In' }))
      await keyboard.press('ArrowRight')
      await tabTo(page, page.getByLabel('Full Name'))
      const fields = [`Person ${username}`, username, `${username}@example.com`, phone, password, password]
      for (const [index, text] of fields.entries()) {
        await keyboard.type(text)
        // Tab also stops at the buttons that show a password.
        if (index < fields.length - 1) {
          const next = ['Username', 'Email', 'Phone Number', 'Password', 'Confirm Password'][index] as string
          await tabTo(page, page.getByRole('tabpanel', { name: 'Sign Up' }).getByLabel(next, { exact: true }))
        }
      }
      await keyboard.press('Enter')
      await expect(page.getByLabel('Digit 1')).toBeFocused()
      await keyboard.type(await readCode(phone))
      await keyboard.press('Enter')
      await expect(title(page, 'Setup Security Password')).toBeFocused()
      await tabTo(page, page.getByLabel('Security Password', { exact: true }))
      await keyboard.type(pin)
      await tabTo(page, page.getByLabel('Confirm Security Password'))
      await keyboard.type(pin)
      await keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: 'Password Set Successfully!' })).toBeVisible()
      await activate(page, button(page, 'Skip - I Got It'))
      await expect(button(page, '=')).toBeVisible()
    })

    const unlock = async () => {
      // A screen is painted a moment before its keys work.
      await expect(async () => {
        await keyboard.press('+')
        await expect(page.getByText('Enter Password', { exact: true })).toBeVisible({ timeout: 1000 })
      }).toPass()
      await keyboard.type(pin)
      await expect(page.getByText('••••')).toBeVisible()
      await keyboard.press('Enter')
      await expect(title(page, 'Secure Messages')).toBeFocused()
    }
    await test.step('the unlock, a new conversation, a message and its menu', async () => {
      await unlock()
      await activate(page, button(page, 'New conversation'))
      await expect(page.getByLabel('User code')).toBeFocused()
      await keyboard.type(ben.userCode)
      await keyboard.press('Enter')
      await expect(page.getByLabel('Message', { exact: true })).toBeFocused()
      await keyboard.type('Written with the keyboard')
      await keyboard.press('Enter')
      await expect(page.getByRole('log').getByText(/^(sent|read)$/)).toBeVisible()
      await tabTo(page, page.getByRole('log'), 'Shift+Tab')
      await keyboard.press('ArrowUp')
      await expect(page.getByRole('article')).toBeFocused()
      await keyboard.press('ContextMenu')
      await expect(page.getByRole('menuitem').first()).toBeFocused()
      await keyboard.press('Escape')
      await expect(page.getByRole('article')).toBeFocused()
    })

    await test.step('the list beside the chat, and the settings with their dialogs', async () => {
      await activate(page, button(page, 'Back to Messages'), 'Shift+Tab')
      await expect(page).toHaveURL('/messaging')
      // The pane has a script of its own, and its title then takes the lost focus.
      await expect(page.getByText('Choose a conversation')).toBeVisible()
      await activate(page, page.getByRole('link', { name: new RegExp(ben.username) }))
      await expect(page).toHaveURL(/\/conversation\//)
      await activate(page, button(page, 'Settings'), 'Shift+Tab')
      await expect(title(page, 'Settings')).toBeFocused()
      await activate(page, button(page, 'End other sessions'))
      await expect(page.getByRole('textbox', { name: 'Account password' })).toBeFocused()
      await keyboard.type(password)
      await keyboard.press('Enter')
      await expect(button(page, 'Done')).toBeFocused()
      await keyboard.press('Enter')
      await expect(button(page, 'End other sessions')).toBeFocused()
      await activate(page, button(page, 'Privacy Policy'))
      await expect(page.getByRole('dialog').getByText('at least 18 years old')).toBeVisible()
      await keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
      await activate(page, button(page, 'Back'), 'Shift+Tab')
      await expect(title(page, 'Secure Messages')).toBeFocused()
    })

    await test.step('Escape twice leaves; signing out and in again', async () => {
      await leaveBy(page, () => pressEscapeTwice(page))
      await activate(page, button(page, 'Menu'))
      await activate(page, button(page, 'Settings'))
      await expect(title(page, 'Settings')).toBeFocused()
      await leaveBy(page, () => activate(page, button(page, 'Logout')))
      await activate(page, button(page, 'Menu'))
      await activate(page, button(page, 'Settings'))
      await expect(page).toHaveURL('/auth')
      await expect(title(page, 'Calculator')).toBeFocused()
      await tabTo(page, page.getByLabel('Username').first())
      await keyboard.type(username)
      await tabTo(page, page.getByLabel('Password', { exact: true }).first())
      await keyboard.type(password)
      await keyboard.press('Enter')
      await expect(button(page, '=')).toBeVisible()
      await unlock()
    })

    await test.step('an address that does not exist', async () => {
      await page.goto('/nowhere')
      await expect(title(page, '404 Page Not Found')).toBeFocused()
      await activate(page, button(page, 'Back to the calculator'))
      await expect(page).toHaveURL('/')
    })
    for (const { context } of [ben, visitor]) await context.close()
  },
)
