import { expect, test } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { check, looks, sizes } from './check-screen.ts'
import { contactSheets } from './contact-sheets.ts'
import { keepsPictures } from './keeps-pictures.ts'
import {
  acceptTerms,
  fillSignUpForm,
  openMember,
  openPair,
  openVisitor,
  readCode,
  send,
  unlockOnKeypad,
} from './person.ts'

// Each test takes a minute or two, and two workers share them.
test.describe.configure({ mode: 'parallel' })

/** The server shows these fields of a locked account in discreet mode. */
const discreetUser = {
  id: '00000000-0000-4000-8000-000000000000',
  username: 'solo',
  isSetupComplete: true,
  silentCheck: false,
  unlockPausedUntil: new Date(Date.now() + 3_600_000).toISOString(),
}

test(
  'every screen in front of the sign-in is accessible in every size and theme',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const visitor = await openVisitor(browser, project.name, 'guest', '0000')
    const { page } = visitor
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Accept and Continue' })).toBeVisible()
    await check(page, '01-first-visit')
    await acceptTerms(visitor)
    await page.keyboard.type('12.5*4=7+3')
    await check(page, '02-calculator')
    await page.getByRole('button', { name: 'Menu' }).click()
    await check(page, '03-menu')
    await page.getByRole('button', { name: 'Help & Support' }).click()
    await check(page, '04-help')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'About' }).click()
    await check(page, '04-about')
    await page.goto('/auth')
    await page.getByRole('tab', { name: 'Sign In' }).waitFor()
    await check(page, '05-sign-in')
    await page.getByRole('button', { name: 'Privacy Policy' }).click()
    await check(page, '05-privacy-policy')
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Sign Up' }).click()
    await page.getByRole('button', { name: 'Create Account' }).click()
    await check(page, '06-sign-up')
    await page.getByRole('tab', { name: 'Sign In' }).click()
    await page.getByRole('button', { name: 'Forgot Password?' }).click()
    await page.getByRole('button', { name: 'Send Reset Link' }).click()
    await check(page, '06-forgot-password')
    await page.goto('/reset-password')
    await page.getByRole('button', { name: 'Reset Password', exact: true }).waitFor()
    await check(page, '06-reset-password')
    await page.goto('/verify-email?token=none')
    await page.getByRole('heading', { name: 'Verification Failed' }).waitFor()
    await check(page, '06-verification-failed')
    await page.goto('/nowhere')
    await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor()
    await check(page, '07-not-found')
    await visitor.context.close()
  },
)

test(
  'every screen of a member is accessible in every size and theme',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name)
    const { page } = ada
    await send(ada, 'A first message, and the only free one of today')
    await expect(page.getByText(/^Daily message limit reached/)).toBeVisible()
    await check(page, '20-chat-limit-reached')
    await ben.page.getByRole('link', { name: new RegExp(ada.username) }).click()
    await expect(ben.page.getByText('Unread messages')).toBeVisible()
    await ben.page.getByLabel('Message', { exact: true }).fill('A draft')
    await check(ben.page, '21-chat')
    await checkMessageMenu(ben.page)
    const refuse = {
      status: 400,
      json: { error: 'This was refused.', code: 'invalid_request', requestId: '' },
    }
    await ben.page.route('**/api/messages', (route) => route.fulfill(refuse))
    await ben.page.getByLabel('Message', { exact: true }).press('Enter')
    await expect(ben.page.getByText(/^Not sent/)).toBeVisible()
    await check(ben.page, '21-not-sent')
    await ben.page.getByRole('button', { name: 'Discard' }).click()
    await ben.page.unrouteAll()
    await ben.page.getByLabel('Message', { exact: true }).fill('A draft')
    await ben.page.getByRole('button', { name: 'Back to Messages' }).click()
    await expect(ben.page.getByText('Draft:')).toBeVisible()
    await check(ben.page, '22-list')
    await checkBarsOfList(ben.page)
    await ben.page.getByRole('button', { name: 'New conversation' }).click()
    await ben.page.getByLabel('User code').fill('ABCD-EFGH-J')
    await ben.page.getByRole('button', { name: 'Start' }).click()
    await expect(ben.page.getByRole('dialog').getByText(/code/).last()).toBeVisible()
    await check(ben.page, '23-new-conversation')
    // The code stays through both layouts.
    await expect(ben.page.getByLabel('User code')).toHaveValue('ABCD-EFGH-J')
    await page.goto('/conversation/00000000-0000-4000-8000-000000000000')
    await expect(page.getByText('Conversation not found')).toBeVisible()
    await check(page, '24-conversation-not-found')
    await page.goto('/settings')
    await expect(page.getByText('Your unique code')).toBeVisible()
    await check(page, '25-settings')
    await page.getByRole('button', { name: 'Change security password' }).click()
    await page.getByRole('button', { name: 'Change Password' }).click()
    await expect(page.getByText('Enter the number that you use now.')).toBeVisible()
    await check(page, '28-change-number')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Change account password' }).click()
    await check(page, '29-change-password')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'End other sessions' }).click()
    await check(page, '26-end-sessions')
    for (const { context } of [ada, ben]) await context.close()
  },
)

/** Checks that one bar with title and buttons and one row of whole texts stand above the conversations. */
async function checkBarsOfList(page: Page): Promise<void> {
  const title = page.getByRole('heading', { level: 1, name: 'Secure Messages' })
  const banner = page.getByText('Swipe right to quickly return to calculator')
  const quota = page.getByText(/^Messages remaining today/)
  const boxOf = async (part: Locator) => (await part.boundingBox()) as { y: number; height: number }
  for (const part of [title, page.getByRole('button', { name: 'Settings' })]) {
    const { y, height } = await boxOf(part)
    expect(y + height).toBeLessThanOrEqual(56)
  }
  for (const part of [banner, quota]) {
    const { y, height } = await boxOf(part)
    expect(y + height).toBeLessThanOrEqual(56 + 52)
    expect(await part.evaluate((text) => text.scrollWidth <= text.clientWidth)).toBe(true)
  }
  await page.setViewportSize({ width: 390, height: 60 })
  await page.mouse.move(195, 40)
  await page.mouse.wheel(0, 400)
  await expect(banner).not.toBeInViewport()
  await expect(title).toBeInViewport()
  await page.mouse.wheel(0, -400)
  await page.setViewportSize(sizes.phone)
}

/** The menu closes when the window is resized, so it is opened again for each size. */
async function checkMessageMenu(page: Page): Promise<void> {
  for (const look of looks) {
    await page.setViewportSize(look.size)
    await page.getByRole('article').first().click({ button: 'right' })
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await check(page, '27-message-menu', [look])
    // A second Escape within 600 ms would leave for the calculator, so Tab closes the menu.
    await page.keyboard.press('Tab')
  }
}

test(
  'every screen of the sign-up is accessible in every size and theme',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const visitor = await openVisitor(browser, project.name, 'nova', '4821')
    const { page } = visitor
    await page.goto('/auth')
    await fillSignUpForm(visitor)
    await page.getByRole('button', { name: 'Create Account' }).click()
    const code = await readCode(visitor.phone)
    await page.getByLabel('Digit 1').fill(code === '000000' ? '111111' : '000000')
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Digit 1')).toHaveAccessibleDescription(
      'Please check the code and try again.',
    )
    await check(page, '30-phone-step')
    await page.getByLabel('Digit 1').fill(code)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Setup Security Password' })).toBeVisible()
    await page.getByLabel('Security Password', { exact: true }).fill('1234')
    await page.getByRole('button', { name: 'Set Password & Continue' }).click()
    await expect(page.getByText(/^Many people choose this number/)).toBeVisible()
    await check(page, '31-set-up')
    for (const label of ['Security Password', 'Confirm Security Password'])
      await page.getByLabel(label, { exact: true }).fill(visitor.pin)
    await page.getByRole('button', { name: 'Set Password & Continue' }).click()
    await expect(page.getByRole('heading', { name: 'Password Set Successfully!' })).toBeVisible()
    await check(page, '32-set-up-done')
    await page.getByRole('button', { name: 'Practice Now' }).click()
    await acceptTerms(visitor)
    await expect(page.getByText('Press + while the display shows 0.')).toBeVisible()
    await check(page, '33-practice')
    await visitor.context.close()
  },
)

test(
  'an empty list and discreet settings are accessible in every size and theme',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const member = await openMember(browser, project.name, 'solo', '4821')
    const { page } = member
    await unlockOnKeypad(member)
    await expect(page.getByText('No conversations yet')).toBeVisible()
    await check(page, '40-empty-list')
    // For a quarter of an hour after a sign-in, the server would show the whole settings.
    await page.route('**/api/user', (route) => route.fulfill({ json: discreetUser }))
    await page.goto('/settings')
    await expect(page.getByText('Name', { exact: true })).toBeVisible()
    await check(page, '41-discreet-settings')
    await member.context.close()
  },
)

// The last worker to finish has the pictures of all tests.
if (keepsPictures) test.afterAll(({ browser }) => contactSheets(browser))
