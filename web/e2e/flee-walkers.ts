import { expect } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { sendFiles } from './choose-files.ts'
import { typed, sendFilm } from './flee-ways.ts'
import {
  acceptTerms,
  administrate,
  callApi,
  openPair,
  openVisitor,
  password,
  register,
  send,
  unlockOnKeypad,
} from './person.ts'
import type { Visitor } from './person.ts'
import { draw } from './picture-page.ts'

/** A person with a browser. Each flight begins and ends on their calculator. */
export interface Walker extends Visitor {
  /** None of these may be in a page or a storage after a flight. */
  secrets: readonly string[]
  /** Goes from the calculator to the screen where the ways begin. */
  begin: (page: Page) => Promise<unknown>
  /** Where a reload with a network leads, if not to the calculator. */
  reloaded?: (page: Page) => Promise<unknown>
  /** The server's answer to a private request after a flight. */
  answer: 401 | 423
}

export type WalkerName = keyof typeof walkers

const unlockIn = (visitor: Visitor) => (page: Page) => unlockOnKeypad({ ...visitor, page })

/** There is no way back to a calculator offline until the worker controls the page. */
const untilKept = (page: Page) =>
  expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)

const untilAllIsSent = (page: Page) =>
  expect(
    page
      .getByRole('log')
      .getByText(/^(sent|read)$/)
      .last(),
  ).toBeVisible()

/**
 * Opens a member with a photo, a film and a text in a conversation and with a second device, and a partner with
 * premium.
 */
async function openMemberAndPartner(browser: Browser, project: string): Promise<[Visitor, Visitor]> {
  const [ben, ada] = await openPair(browser, project, { isPremium: true })
  const { page } = ada
  await page.getByRole('link', { name: new RegExp(ben.username) }).click()
  const buffer = Buffer.from(await draw(page, { width: 400, height: 300, type: 'image/jpeg' }))
  await sendFiles(page, { name: 'a.jpg', mimeType: 'image/jpeg', buffer })
  await expect(page.getByRole('button', { name: 'Open photo' })).toHaveCount(1)
  await sendFilm(page)
  await send(ada, 'A picture')
  await untilAllIsSent(page)
  await untilKept(page)
  return [ada, ben]
}

async function openUnlocking(browser: Browser, project: string): Promise<Walker> {
  const [ada, ben] = await openMemberAndPartner(browser, project)
  const other = await browser.newContext()
  await callApi({ context: other }, '/api/login', { username: ada.username, password })
  for (const { context } of [ben, { context: other }]) await context.close()
  return { ...ada, secrets: [ben.username, ada.username], begin: unlockIn(ada), answer: 423 }
}

/** A member with premium and with codes to redeem. */
async function openPartner(browser: Browser, project: string): Promise<Walker> {
  const [ben, ada] = await openPair(browser, project, { isPremium: true })
  await untilKept(ben.page)
  await ada.context.close()
  return { ...ben, secrets: [ada.username, ben.username], begin: unlockIn(ben), answer: 423 }
}

/** The administrator of the test stack. */
async function openAdmin(browser: Browser, project: string): Promise<Walker> {
  const opened = await openVisitor(browser, project, 'admin', '')
  const visitor = { ...opened, pin: await administrate(opened) }
  const { page, context } = visitor
  const { username } = (await (await context.request.get('/api/user')).json()) as { username: string }
  await page.goto('/')
  await acceptTerms(visitor)
  await untilKept(page)
  return { ...visitor, secrets: [username, 'Admin Dashboard'], begin: unlockIn(visitor), answer: 423 }
}

const emptySetUp = async (page: Page) => {
  await expect(page.getByRole('heading', { name: 'Setup Security Password' })).toBeVisible()
  for (const field of await page.getByRole('textbox').all()) await expect(field).toHaveValue('')
}

/** A person who signed up but has no number yet, so the calculator leads to the set-up. */
async function openNewcomer(browser: Browser, project: string): Promise<Walker> {
  const visitor = await openVisitor(browser, project, 'eve', typed.number)
  await register(visitor)
  await visitor.page.goto('/')
  await acceptTerms(visitor)
  await untilKept(visitor.page)
  const begin = () => Promise.resolve()
  return { ...visitor, secrets: [typed.number], begin, reloaded: emptySetUp, answer: 423 }
}

async function openStranger(browser: Browser, project: string): Promise<Walker> {
  const visitor = await openVisitor(browser, project, 'stranger', '')
  await visitor.page.goto('/')
  await acceptTerms(visitor)
  await untilKept(visitor.page)
  return { ...visitor, secrets: [typed.text], begin: () => Promise.resolve(), answer: 401 }
}

export const walkers = {
  member: openUnlocking,
  partner: openPartner,
  admin: openAdmin,
  newcomer: openNewcomer,
  stranger: openStranger,
}
