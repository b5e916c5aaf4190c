import { join } from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import { MediaRefusedError } from '../../src/features/media/prepare/media-refused-error.ts'
import { find, openFirefox, ownCode, signUp, unlock } from './firefox.ts'
import type { Person } from './firefox.ts'

let browser: Browser | undefined
afterEach(() => browser?.close())

const photo = join(import.meta.dirname, '../../../testing/fixtures/media/photo-orientation-6.jpg')

const seeText = (page: Page, text: string) => page.locator(`::-p-text(${text})`).wait()
const statusOf = (page: Page, path: string) => page.evaluate(async (path) => (await fetch(path)).status, path)

interface Stored {
  content: string
  mediaUrl: string | null
  sealed?: { v: number }
}
const storedIn = (page: Page, conversation: string) =>
  page.evaluate(
    async (id) => (await (await fetch(`/api/conversations/${id}/messages`)).json()) as Stored[],
    conversation,
  )

async function say(page: Page, text: string): Promise<void> {
  await find(page, 'textbox', 'Message').fill(text)
  await find(page, 'button', 'Send').click()
}

/** Signs up and unlocks two people. The first finds the second by the code and writes a message that both see. */
async function meet(resistsFingerprinting: boolean): Promise<[Person, Person, conversation: string]> {
  browser = await openFirefox({ resistsFingerprinting })
  const ada = await signUp(browser, 'ada', '1815')
  const ben = await signUp(browser, 'ben', '0070')
  await unlock(ben)
  const code = await ownCode(ben)

  await unlock(ada)
  await find(ada.page, 'button', 'New conversation').click()
  await find(ada.page, 'textbox', 'User code').fill(code)
  await find(ada.page, 'button', 'Start').click()
  await say(ada.page, 'Hello from a fox')

  await ben.page.bringToFront()
  await ben.page.locator('a ::-p-text(Hello from a fox)').click()
  await find(ben.page, 'textbox', 'Message').wait()
  return [ada, ben, new URL(ben.page.url()).pathname.split('/').at(-1) as string]
}

async function choosePhoto(page: Page): Promise<void> {
  await find(page, 'button', 'Choose a photo or video').wait()
  const input = await page.waitForSelector('form input[type=file]')
  await input?.uploadFile(photo)
  await page.waitForSelector('dialog [aria-label=Send]:enabled')
}

async function sendPhoto(page: Page): Promise<void> {
  await choosePhoto(page)
  await page.click('dialog [aria-label=Send]')
}

async function fleeByEscape(page: Page): Promise<void> {
  await page.bringToFront()
  const left = page.waitForNavigation({ waitUntil: 'load' })
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await left
  await find(page, 'button', '=').wait()
  expect(await page.evaluate(() => document.body.innerText)).not.toContain('Hello')
  expect(await statusOf(page, '/api/conversations')).toBe(423)
}

it('two people sign up in Firefox, exchange a sealed text and picture, read them after a reload, and flee', async () => {
  const [ada, ben, conversation] = await meet(false)
  await sendPhoto(ben.page)

  await ada.page.bringToFront()
  for (const step of ['arrived', 'reloaded']) {
    if (step === 'reloaded') await ada.page.reload()
    await seeText(ada.page, 'Hello from a fox')
    const shown = await ada.page.waitForSelector('button[aria-label="Open photo"] img[src^="blob:"]')
    await ada.page.waitForFunction((img) => (img as HTMLImageElement).complete, {}, shown)
    const size = await shown?.evaluate((img) => [img.naturalWidth, img.naturalHeight])
    expect(size).toEqual([60, 40])
  }

  const stored = await storedIn(ada.page, conversation)
  expect(stored.map(({ sealed }) => sealed?.v)).toEqual([1, 1])
  expect(stored.map(({ content }) => content).join()).not.toContain('Hello')
  const mediaUrl = stored.at(-1)?.mediaUrl as string
  const file = await ada.page.evaluate(async (url) => [...(await (await fetch(url)).bytes())], mediaUrl)
  const text = Buffer.from(file).toString('latin1')
  expect(text).not.toMatch(/MARK|JFIF/)

  await fleeByEscape(ada.page)
  await fleeByEscape(ben.page)
}, 480_000)

it('in a Firefox that resists fingerprinting texts cross, and a picture is refused with the sentence that says why', async () => {
  const [ada, ben, conversation] = await meet(true)
  await choosePhoto(ben.page)
  const sentence = new MediaRefusedError('canvas_lies').message
  await ben.page.waitForFunction(
    (sentence) =>
      [...document.querySelectorAll('dialog [role=alert]')].some((alert) =>
        alert.textContent.includes(sentence),
      ),
    {},
    sentence,
  )
  expect(await storedIn(ben.page, conversation)).toHaveLength(1)
  await find(ben.page, 'button', 'Close').click()
  await say(ben.page, 'Hello back')
  await ada.page.bringToFront()
  await seeText(ada.page, 'Hello back')
  await fleeByEscape(ada.page)
}, 480_000)
