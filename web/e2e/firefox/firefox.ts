import { execFileSync } from 'node:child_process'
import { launch } from 'puppeteer-core'
import type { Browser, Page } from 'puppeteer-core'
import { readPhoneCode } from '../../../testing/kit/inbox.ts'

export const baseURL = process.env['E2E_BASE_URL'] ?? 'http://127.0.0.1:4000'
const inboxUrl = process.env['E2E_INBOX_URL'] ?? 'http://127.0.0.1:4080'
const viewport = { width: 390, height: 844 }
const stepMs = 60_000

/** Returns the path of the system's Firefox; throws one sentence with the fix if there is none. */
function firefoxPath(): string {
  for (const name of ['firefox-esr', 'firefox']) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8' }).trim()
    } catch {
      // The next name may exist.
    }
  }
  throw new Error(
    'No Firefox found. On Debian: sudo apt-get install -y --no-install-recommends firefox-esr ffmpeg',
  )
}

/**
 * Starts a Firefox without a window. `resistsFingerprinting` makes it return other pixels of a canvas than the page
 * drew.
 */
export const openFirefox = ({ resistsFingerprinting = false } = {}): Promise<Browser> =>
  launch({
    browser: 'firefox',
    executablePath: firefoxPath(),
    headless: true,
    extraPrefsFirefox: { 'privacy.resistFingerprinting': resistsFingerprinting },
  })

/** Opens the calculator in a profile of its own. */
export async function openCalculator(browser: Browser, url = baseURL): Promise<Page> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  page.setDefaultTimeout(stepMs)
  await page.setViewport(viewport)
  await page.goto(url)
  return page
}

/** Finds the element with this role and name. */
export const find = (page: Page, role: string, name: string) =>
  page.locator(`::-p-aria([role="${role}"][name="${name}"])`)

export async function pressKeys(page: Page, keys: string): Promise<void> {
  for (const key of keys) await find(page, 'button', key).click()
}

export interface Person {
  page: Page
  pin: string
}

/** Signs up a person and sets a number; ends on the calculator. */
export async function signUp(browser: Browser, name: string, pin: string): Promise<Person> {
  const page = await openCalculator(browser)
  const username = `${name}${Math.random().toString(36).slice(2, 8)}`
  const phone = `+1555${String(Math.floor(Math.random() * 10_000_000)).padStart(7, '0')}`
  await find(page, 'button', 'Accept and Continue').click()
  await find(page, 'button', 'Menu').click()
  await find(page, 'button', 'Settings').click()
  await find(page, 'tab', 'Sign Up').click()
  const form = 'form:has([name="fullName"])'
  for (const [field, value] of [
    ['fullName', `Person ${username}`],
    ['username', username],
    ['email', `${username}@example.com`],
    ['phone', phone],
    ['password', 'correct horse'],
    ['confirmPassword', 'correct horse'],
  ] as const)
    await page.locator(`${form} [name="${field}"]`).fill(value)
  await find(page, 'button', 'Create Account').click()
  await find(page, 'heading', 'Verify Your Phone').wait()
  const code = await readPhoneCode(inboxUrl, phone)
  await page.locator('[aria-label="Digit 1"]').click()
  await page.keyboard.type(code)
  await find(page, 'button', 'Verify Code').click()
  await find(page, 'heading', 'Setup Security Password').wait()
  for (const label of ['Security Password', 'Confirm Security Password'])
    await page.locator(`::-p-aria([name="${label}"][role="textbox"])`).fill(pin)
  await find(page, 'button', 'Set Password & Continue').click()
  await find(page, 'button', 'Skip - I Got It').click()
  await find(page, 'button', '=').wait()
  return { page, pin }
}

/** Reads the person's own code from the settings. */
export async function ownCode({ page }: Person): Promise<string> {
  await find(page, 'button', 'Settings').click()
  const code = await page.waitForFunction(
    () => /\b[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z*~$=]/.exec(document.body.innerText)?.[0],
  )
  await find(page, 'button', 'Back').click()
  return (await code.jsonValue()) as string
}

/** Presses plus, the number and equals, which opens the conversations. */
export async function unlock({ page, pin }: Person): Promise<void> {
  // Firefox draws nothing in a background page, so no element there would come to rest.
  await page.bringToFront()
  await pressKeys(page, `+${pin}=`)
  await find(page, 'heading', 'Secure Messages').wait()
}
