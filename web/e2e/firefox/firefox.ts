import { execFileSync } from 'node:child_process'
import { launch } from 'puppeteer-core'
import type { Browser, Page } from 'puppeteer-core'

export const baseURL = process.env['E2E_BASE_URL'] ?? 'http://127.0.0.1:4000'
const phone = { width: 390, height: 844 }
const stepMs = 60_000

/** The system's Firefox; throws one sentence with the fix when there is none. */
function firefoxPath(): string {
  for (const name of ['firefox-esr', 'firefox']) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8' }).trim()
    } catch {
      // The next name may be there.
    }
  }
  throw new Error(
    'No Firefox found. On Debian: sudo apt-get install -y --no-install-recommends firefox-esr ffmpeg',
  )
}

/** A Firefox without a window. `resistsFingerprinting`: a page that reads a canvas gets noise in place of its pixels. */
export const openFirefox = ({ resistsFingerprinting = false } = {}): Promise<Browser> =>
  launch({
    browser: 'firefox',
    executablePath: firefoxPath(),
    headless: true,
    extraPrefsFirefox: { 'privacy.resistFingerprinting': resistsFingerprinting },
  })

/** A page on the calculator, in a profile of its own. */
export async function openCalculator(browser: Browser, url = baseURL): Promise<Page> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  page.setDefaultTimeout(stepMs)
  await page.setViewport(phone)
  await page.goto(url)
  return page
}

/** The element with this role and name. */
export const find = (page: Page, role: string, name: string) =>
  page.locator(`::-p-aria([role="${role}"][name="${name}"])`)

export async function pressKeys(page: Page, keys: string): Promise<void> {
  for (const key of keys) await find(page, 'button', key).click()
}

export interface Person {
  page: Page
  username: string
  pin: string
}

/** Calls the API from the page, with its cookies. */
export const callApi = <T>({ page }: Pick<Person, 'page'>, path: string, body: object): Promise<T> =>
  page.evaluate(
    async ({ path, body }) => {
      const { csrfToken } = (await (await fetch('/api/csrf-token')).json()) as { csrfToken: string }
      const headers = { 'content-type': 'application/json', 'x-csrf-token': csrfToken }
      const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
      return (await answer.json()) as T
    },
    { path, body },
  )

/** A person with an account and a number, made over the API, on the calculator. */
export async function openPerson(
  browser: Browser,
  name: string,
  pin: string,
): Promise<Person & { userCode: string }> {
  const page = await openCalculator(browser)
  const username = `${name}${Math.random().toString(36).slice(2, 8)}`
  const number = `+1555${String(Math.floor(Math.random() * 10_000_000)).padStart(7, '0')}`
  const asked = await callApi<{ demoCode: string }>({ page }, '/api/phone/request-code', { phone: number })
  await callApi({ page }, '/api/phone/verify-code', { code: asked.demoCode })
  const { userCode } = await callApi<{ userCode: string }>({ page }, '/api/register', {
    username,
    password: 'correct horse',
    phone: number,
    email: `${username}@example.com`,
    fullName: `Person ${username}`,
  })
  await callApi({ page }, '/api/setup-numeric-password', { numericPassword: pin })
  await page.goto(baseURL)
  await find(page, 'button', 'Accept and Continue').click()
  return { page, username, pin, userCode }
}

/** Plus, the number, equals: the conversations open. */
export async function unlock({ page, pin }: Person): Promise<void> {
  // Firefox draws nothing in a page behind another one, so that no element there comes to rest.
  await page.bringToFront()
  await pressKeys(page, `+${pin}=`)
  await find(page, 'heading', 'Secure Messages').wait()
}
