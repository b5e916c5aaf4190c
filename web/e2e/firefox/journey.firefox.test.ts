import type { Browser, Page } from 'puppeteer-core'
import { callApi, find, openFirefox, openPerson, unlock } from './firefox.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openFirefox()
}, 120_000)
afterAll(() => browser?.close())

const seeText = (page: Page, text: string) => page.locator(`::-p-text(${text})`).wait()
const statusOf = (page: Page, path: string) => page.evaluate(async (path) => (await fetch(path)).status, path)

async function say(page: Page, text: string): Promise<void> {
  await find(page, 'textbox', 'Message').fill(text)
  await find(page, 'button', 'Send').click()
}

it('two people unlock in Firefox, write sealed messages to each other, reload, and flee by Escape twice', async () => {
  const ada = await openPerson(browser, 'ada', '1815')
  const ben = await openPerson(browser, 'ben', '0070')
  await unlock(ada)
  await unlock(ben)
  await callApi(ada, '/api/conversations', { userCode: ben.userCode })

  await ada.page.bringToFront()
  await ada.page.locator(`a ::-p-text(${ben.username})`).click()
  await say(ada.page, 'Hello from a fox')
  await ben.page.bringToFront()
  await ben.page.locator('a ::-p-text(Hello from a fox)').click()
  await say(ben.page, 'Hello back')
  await ada.page.bringToFront()
  await seeText(ada.page, 'Hello back')

  const id = ada.page.url().split('/').at(-1) as string
  const stored = await ada.page.evaluate(
    async (id) => (await (await fetch(`/api/conversations/${id}/messages`)).json()) as { sealed?: unknown }[],
    id,
  )
  expect(stored.map(({ sealed }) => sealed)).toEqual([
    expect.objectContaining({ v: 1 }),
    expect.objectContaining({ v: 1 }),
  ])

  await ada.page.reload()
  await seeText(ada.page, 'Hello from a fox')
  await seeText(ada.page, 'Hello back')

  const left = ada.page.waitForNavigation({ waitUntil: 'load' })
  await ada.page.keyboard.press('Escape')
  await ada.page.keyboard.press('Escape')
  await left
  await find(ada.page, 'button', '=').wait()
  expect(await ada.page.evaluate(() => document.body.innerText)).not.toContain('Hello')
  expect(await statusOf(ada.page, '/api/conversations')).toBe(423)
}, 240_000)
