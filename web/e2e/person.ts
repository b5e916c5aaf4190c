import { expect } from '@playwright/test'
import type { Browser, BrowserContext, Page } from '@playwright/test'

const inboxUrl = process.env['E2E_INBOX_URL'] ?? 'http://127.0.0.1:4080'
const words: Record<string, string> = {
  '0': 'zero',
  '1': 'one',
  '2': 'two',
  '3': 'three',
  '4': 'four',
  '5': 'five',
  '6': 'six',
  '7': 'seven',
  '8': 'eight',
  '9': 'nine',
  '+': 'plus',
  '=': 'equals',
}

export interface Visitor {
  context: BrowserContext
  page: Page
  username: string
  phone: string
  pin: string
  /** Keeps a picture of the present screen. */
  picture: (step: string) => Promise<void>
}

/** A separate browser context, signed out. */
export async function openVisitor(
  browser: Browser,
  project: string,
  username: string,
  pin: string,
): Promise<Visitor> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const phone = `+1555${String(Math.floor(Math.random() * 10_000_000)).padStart(7, '0')}`
  let count = 0
  const picture = async (step: string) => {
    count += 1
    const name = `${String(count).padStart(2, '0')}-${step}`
    await page.screenshot({ path: `artifacts/screenshots/${project}/${username.slice(0, 3)}-${name}.png` })
  }
  return { context, page, username, phone, pin, picture }
}

export async function acceptTerms({ page }: Visitor): Promise<void> {
  await page.getByRole('button', { name: 'Accept and Continue' }).click()
}

/** Presses keys of the calculator by what they are called. */
export async function pressKeys(page: Page, keys: string): Promise<void> {
  for (const key of keys) await page.getByRole('button', { name: words[key] ?? key, exact: true }).click()
}

/** The code of the newest SMS to this number, from the inbox. */
export async function readCode(phone: string): Promise<string> {
  let code: string | undefined
  await expect(async () => {
    const mails = (await (await fetch(`${inboxUrl}/email`)).json()) as {
      to: { address: string }[]
      text: string
    }[]
    const own = mails.filter((mail) => mail.to.some(({ address }) => address === `${phone}@sms.local`))
    code = /\b(\d{6})\b/.exec(own.at(-1)?.text ?? '')?.[1]
    expect(code).toBeDefined()
  }).toPass()
  return code as string
}

/** From the calculator through menu, sign-up and phone code to a set PIN; ends on the calculator. */
export async function signUp(visitor: Visitor): Promise<void> {
  const { page, username, phone, pin, picture } = visitor
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByLabel('Full Name').fill(`Person ${username}`)
  await page.getByLabel('Username').last().fill(username)
  await page.getByLabel('Email').fill(`${username}@example.com`)
  await page.getByLabel('Phone Number').fill(phone)
  await page.getByLabel('Password', { exact: true }).last().fill('correct horse')
  await page.getByLabel('Confirm Password').fill('correct horse')
  await picture('sign-up')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByRole('heading', { name: 'Verify Your Phone' })).toBeVisible()
  const code = await readCode(phone)
  await page.getByLabel('Digit 1').focus()
  await page.keyboard.type(code)
  await picture('phone-code')
  await page.getByRole('button', { name: 'Verify Code' }).click()
  await expect(page.getByRole('heading', { name: 'Setup Security Password' })).toBeVisible()
  await picture('set-up')
  await page.getByLabel('Numeric Password', { exact: true }).fill(pin)
  await page.getByLabel('Confirm Numeric Password').fill(pin)
  await page.getByRole('button', { name: 'Set Password & Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Password Set Successfully!' })).toBeVisible()
  await picture('set-up-done')
  await page.getByRole('button', { name: 'Skip - I Got It' }).click()
  await expect(page.getByRole('button', { name: 'equals', exact: true })).toBeVisible()
}

/** Plus, the PIN, equals: the conversations open. */
export async function unlockOnKeypad(visitor: Visitor): Promise<void> {
  const { page, pin, picture } = visitor
  await pressKeys(page, '+')
  await expect(page.getByText('Enter Password', { exact: true })).toBeVisible()
  await pressKeys(page, pin)
  await picture('password-mode')
  await pressKeys(page, '=')
  await expect(page.getByRole('heading', { name: 'Secure Messages' })).toBeVisible()
}

/** The person's own code, read from their settings. */
export async function ownCode({ page }: Visitor): Promise<string> {
  await page.getByRole('button', { name: 'Settings' }).click()
  const code = await page.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}-.$/).innerText()
  await page.getByRole('button', { name: 'Back' }).click()
  return code
}

export async function send({ page }: Visitor, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text)
  await page.keyboard.press('Enter')
}

/** Two people, unlocked; the first is in an empty conversation with the second, who is in the list. */
export async function openPair(browser: Browser, project: string): Promise<[Visitor, Visitor]> {
  const suffix = Math.random().toString(36).slice(2, 8)
  const ada = await openVisitor(browser, project, `ada${suffix}`, '1815')
  const ben = await openVisitor(browser, project, `ben${suffix}`, '0070')
  for (const visitor of [ada, ben]) {
    await visitor.page.goto('/')
    await acceptTerms(visitor)
    await signUp(visitor)
    await unlockOnKeypad(visitor)
  }
  const code = await ownCode(ben)
  await ada.page.getByRole('button', { name: 'New conversation' }).click()
  await ada.page.getByLabel('User code').fill(code)
  await ada.page.getByRole('button', { name: 'Start' }).click()
  await expect(ada.page.getByLabel('Message', { exact: true })).toBeVisible()
  return [ada, ben]
}
