import { expect } from '@playwright/test'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { mailsFor } from '@sumlock/testing/inbox'
import { keepsPictures } from './keeps-pictures.ts'

const baseURL = process.env['E2E_BASE_URL'] ?? 'http://127.0.0.1:4000'
const inboxUrl = process.env['E2E_INBOX_URL'] ?? 'http://127.0.0.1:4080'
export const password = 'correct horse'

export interface Visitor {
  context: BrowserContext
  page: Page
  username: string
  phone: string
  pin: string
  /** Keeps a picture of the present screen on request. */
  picture: (step: string) => Promise<void>
}

/** Opens a signed-out browser context. The user name begins with `name`. */
export async function openVisitor(
  browser: Browser,
  project: string,
  name: string,
  pin: string,
): Promise<Visitor> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const username = `${name}${Math.random().toString(36).slice(2, 8)}`
  const phone = `+1555${String(Math.floor(Math.random() * 10_000_000)).padStart(7, '0')}`
  let count = 0
  const picture = async (step: string) => {
    if (!keepsPictures) return
    count += 1
    const file = `${name}-${String(count).padStart(2, '0')}-${step}.png`
    await page.screenshot({ path: `artifacts/screenshots/${project}/${file}` })
  }
  return { context, page, username, phone, pin, picture }
}

/** Calls the API with the cookies of the visitor's browser. */
export async function callApi<T>(
  { context }: Pick<Visitor, 'context'>,
  path: string,
  data?: object,
  method: 'POST' | 'PUT' = 'POST',
): Promise<T> {
  const { csrfToken } = (await (await context.request.get('/api/csrf-token')).json()) as { csrfToken: string }
  const headers = { origin: baseURL, 'x-csrf-token': csrfToken }
  const answer = await context.request.fetch(path, { method, headers, ...(data && { data }) })
  expect(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`).toBe(true)
  return (await answer.json()) as T
}

/** Makes an account over the API, without a PIN. */
export async function register(visitor: Visitor): Promise<{ userCode: string; id: string }> {
  const { username, phone } = visitor
  const { demoCode } = await callApi<{ demoCode: string }>(visitor, '/api/phone/request-code', { phone })
  await callApi(visitor, '/api/phone/verify-code', { code: demoCode })
  return callApi(visitor, '/api/register', {
    username,
    password,
    phone,
    email: `${username}@example.com`,
    fullName: `Person ${username}`,
  })
}

/** Opens a visitor on the calculator, with an account and a PIN made over the API. */
export async function openMember(
  browser: Browser,
  project: string,
  name: string,
  pin: string,
): Promise<Visitor & { userCode: string; id: string }> {
  const visitor = await openVisitor(browser, project, name, pin)
  const { userCode, id } = await register(visitor)
  await callApi(visitor, '/api/setup-numeric-password', { numericPassword: pin })
  await visitor.page.goto('/')
  await acceptTerms(visitor)
  return { ...visitor, userCode, id }
}

export async function acceptTerms({ page }: Visitor): Promise<void> {
  await page.getByRole('button', { name: 'Accept and Continue' }).click()
}

/** Presses keys of the calculator by their labels. */
export async function pressKeys(page: Page, keys: string): Promise<void> {
  for (const key of keys) await page.getByRole('button', { name: key, exact: true }).click()
}

/** Waits for a mail to an address that matches the pattern, and returns the first match of the newest one. */
async function readMail(address: string, pattern: RegExp): Promise<string> {
  let found: string | undefined
  await expect(async () => {
    const mails = await mailsFor(inboxUrl, address)
    found = mails.flatMap(({ text }) => pattern.exec(text)?.[1] ?? []).at(-1)
    expect(found).toBeDefined()
  }).toPass()
  return found as string
}

/** Reads the code of the newest SMS to this number from the inbox. */
export const readCode = (phone: string): Promise<string> => readMail(`${phone}@sms.local`, /\b(\d{6})\b/)

/** Reads the upgrade code of the newest gift. */
export const readGiftCode = ({ username }: Visitor): Promise<string> =>
  readMail(`${username}@example.com`, /Your code: (\S+)/)

/** Reads the newest link to a page, as a path of the product. */
export const readLink = ({ username }: Visitor, page: '/verify-email' | '/reset-password'): Promise<string> =>
  readMail(`${username}@example.com`, new RegExp(`https?://[^/]+(${page}\\S+)`))

/** Fills the form at `/auth`, without pressing 'Create Account'. */
export async function fillSignUpForm({ page, username, phone }: Visitor): Promise<void> {
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByLabel('Full Name').fill(`Person ${username}`)
  await page.getByLabel('Username').last().fill(username)
  await page.getByLabel('Email').fill(`${username}@example.com`)
  await page.getByLabel('Phone Number').fill(phone)
  await page.getByLabel('Password', { exact: true }).last().fill(password)
  await page.getByLabel('Confirm Password', { exact: true }).fill(password)
}

/** Goes from the calculator through menu, sign-up and phone code to a set PIN; ends on the calculator. */
export async function signUp(visitor: Visitor): Promise<void> {
  const { page, phone, pin, picture } = visitor
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('button', { name: 'Settings' }).click()
  await fillSignUpForm(visitor)
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
  await page.getByLabel('Security Password', { exact: true }).fill(pin)
  await page.getByLabel('Confirm Security Password', { exact: true }).fill(pin)
  await page.getByRole('button', { name: 'Set Password & Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Password Set Successfully!' })).toBeVisible()
  await picture('set-up-done')
  await page.getByRole('button', { name: 'Skip - I Got It' }).click()
  await expect(page.getByRole('button', { name: '=', exact: true })).toBeVisible()
}

/** Presses plus, the PIN and equals, which opens the conversations. */
export async function unlockOnKeypad(visitor: Visitor): Promise<void> {
  const { page, pin } = visitor
  await pressKeys(page, '+')
  await expect(page.getByText('Enter Password', { exact: true })).toBeVisible()
  await pressKeys(page, pin)
  await pressKeys(page, '=')
  await expect(page.getByRole('heading', { name: 'Secure Messages' })).toBeVisible()
}

/** Types plus, the PIN and equals, which takes less time than to press them. */
async function unlockByKeyboard({ page, pin }: Visitor): Promise<void> {
  await page.keyboard.type(`+${pin}=`)
  await expect(page.getByRole('heading', { name: 'Secure Messages' })).toBeVisible()
}

/** Reads the person's own code from their settings. */
export async function ownCode({ page }: Visitor): Promise<string> {
  await page.getByRole('button', { name: 'Settings' }).click()
  const code = await page.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}-.$/).innerText()
  await page.getByRole('button', { name: 'Back' }).click()
  return code
}

export async function send({ page }: Visitor, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

/** Unlocks two people. The first is in an empty conversation with the second, who sees the list. */
export async function openPair(
  browser: Browser,
  project: string,
  { isPremium = false } = {},
): Promise<[Visitor, Visitor]> {
  const ada = await openMember(browser, project, 'ada', '1815')
  const ben = await openMember(browser, project, 'ben', '0070')
  for (const member of [ada, ben]) await unlockByKeyboard(member)
  await callApi(ada, '/api/conversations', { userCode: ben.userCode })
  if (isPremium) await grantPremium(browser, ada)
  await ada.page.getByRole('link', { name: new RegExp(ben.username) }).click()
  await expect(ada.page.getByLabel('Message', { exact: true })).toBeVisible()
  // The chat learns of the grant a moment later.
  if (isPremium) await expect(ada.page.getByText('This will use your last free message today')).toBeHidden()
  return [ada, ben]
}

/** Signs in and unlocks as the administrator of the test stack. Resolves to the number. */
export async function administrate(visitor: Pick<Visitor, 'context'>): Promise<string> {
  const { pin = '', ...credentials } = JSON.parse(process.env['E2E_ADMIN'] ?? '{}') as { pin?: string }
  await callApi(visitor, '/api/login', credentials)
  await callApi(visitor, '/api/verify-numeric-password', { numericPassword: pin })
  return pin
}

/** Grants a year of premium as the administrator of the test stack. */
async function grantPremium(browser: Browser, member: Visitor & { id: string }): Promise<void> {
  const admin = { context: await browser.newContext() }
  await administrate(admin)
  await callApi(admin, '/api/admin/grants', { userId: member.id, days: 365 })
  // An account keeps 25 sessions. Beyond that, a sign-in ends another one whose number is not given yet.
  await callApi(admin, '/api/logout')
  await admin.context.close()
  await expect(async () => {
    const answer = await member.context.request.get('/api/user')
    expect(((await answer.json()) as { subscriptionType: string }).subscriptionType).toBe('premium')
  }).toPass()
}
