import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { fleePlaces } from './flee-places.ts'
import type { FleePlace } from './flee-places.ts'
import { openPair, send, unlockOnKeypad } from './person.ts'
import type { Visitor } from './person.ts'
import { draw } from './picture-page.ts'
import { strokeByTouch } from './touch.ts'

type Opened = FleePlace & { open: (page: Page) => Promise<unknown> }
type Network = 'online' | 'offline' | 'silent'
type Gesture = 'swipe' | 'Escape twice'

const networks: Network[] = ['online', 'offline', 'silent']
const gestures: Gesture[] = ['swipe', 'Escape twice']
const reached = fleePlaces.filter((place): place is Opened => typeof place.open !== 'string')
const artifacts = join(import.meta.dirname, '../../artifacts')

/** The text of a calculator: its name and its keys. */
const calculator = /^(?:Calculator)?\s*(?:[C±%÷789×456−123+0.=\s])*$/
const equals = (page: Page) => page.getByRole('button', { name: '=', exact: true })

async function setNetwork({ page, context }: Visitor, network: Network): Promise<void> {
  await context.setOffline(network === 'offline')
  // Requests without an answer, not refused ones.
  if (network === 'silent') await page.route('**/api/**', () => undefined)
  else await page.unroute('**/api/**')
}

/** On a form the finger begins above the fields: inside of one, a stroke is the field's. */
async function flee(page: Page, gesture: Gesture, y: number): Promise<void> {
  if (gesture === 'swipe') await strokeByTouch(page, { from: { x: 120, y }, byX: 160 })
  else for (let time = 1; time <= 2; time += 1) await page.keyboard.press('Escape')
}

/** What the document holds right after the gesture; a page that is just being replaced answers a moment later. */
const nowIn = async (page: Page) => {
  for (;;) {
    const seen = await page
      .evaluate(() => ({
        text: document.body.innerText,
        whole: document.getElementById('root')?.textContent ?? '',
        isRecorded: localStorage.getItem('calc.l') === '1',
      }))
      .catch(() => null)
    if (seen) return seen
  }
}

async function expectNothingInner(page: Page, secret: string): Promise<void> {
  await expect(equals(page)).toBeVisible()
  await expect(page).toHaveURL('/')
  await expect(page.getByText(secret)).toHaveCount(0)
  await expect(page.getByText('Secure Messages')).toHaveCount(0)
}

async function walk(ada: Visitor, secret: string, place: Opened, gesture: Gesture, network: Network) {
  const { page } = ada
  await place.open(page)
  await setNetwork(ada, network)
  await flee(page, gesture, place.type === 'form' ? 60 : 400)
  const seen = await nowIn(page)
  expect(seen.text).toMatch(calculator)
  expect(seen.whole).not.toContain(secret)
  // Behind a form nothing is open: there the calculator records the lock when it arrives.
  if (network !== 'online' && place.type !== 'form') expect(seen.isRecorded).toBe(true)
  await expectNothingInner(page, secret)
  await page.goBack().catch(() => null)
  await expectNothingInner(page, secret)
  await page.reload()
  await expectNothingInner(page, secret)
  await setNetwork(ada, 'online')
  await expect.poll(async () => (await page.request.get('/api/conversations')).status()).toBe(423)
  await page.goto('/')
}

/** Somebody with a photo and a text in a conversation, at the list. */
async function openWalker(browser: Browser, project: string) {
  const [ada, ben] = await openPair(browser, project, { isPremium: true })
  const { page } = ada
  await page.getByRole('button', { name: 'Choose a photo or video' }).click()
  const buffer = Buffer.from(await draw(page, { width: 400, height: 300, type: 'image/jpeg' }))
  await page.locator('input[type=file]').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer })
  await page.getByRole('button', { name: 'Upload 1 file' }).click()
  await expect(page.getByRole('button', { name: 'Open photo' })).toHaveCount(1)
  await send(ada, 'A picture')
  await expect(
    page
      .getByRole('log')
      .getByText(/^(sent|read)$/)
      .last(),
  ).toBeVisible()
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  await page.goto('/')
  return { ada, secret: ben.username }
}

interface Step {
  place: Opened
  gesture: Gesture
  network: Network
}

async function walkAll(browser: Browser, project: string, steps: readonly Step[], name: string) {
  const { ada, secret } = await openWalker(browser, project)
  const walked: object[] = []
  for (const { place, gesture, network } of steps) {
    await test.step(`${place.source}: ${gesture}, ${network}`, async () => {
      await unlockOnKeypad(ada)
      await walk(ada, secret, place, gesture, network)
      walked.push({ source: place.source, type: place.type, gesture, network })
    })
  }
  const left = fleePlaces.filter(({ open }) => typeof open === 'string')
  mkdirSync(artifacts, { recursive: true })
  writeFileSync(
    join(artifacts, `${name}.json`),
    JSON.stringify({ walked, left: left.map(({ source, open }) => ({ source, why: open })) }, null, 2),
  )
  await ada.context.close()
}

// One of each kind, each with another gesture and network.
const kinds = [...new Set(reached.map(({ type }) => type))]
const sample = kinds.map((kind, index) => ({
  place: reached.findLast(({ type }) => type === kind) as Opened,
  gesture: gestures[index % 2] as Gesture,
  network: networks[index % 3] as Network,
}))

test(
  'a flight from one place of each kind leaves a calculator at once, and nothing returns by Back or a reload',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    await walkAll(browser, project.name, sample, 'flee-walk-of-kinds')
  },
)

test(
  'a flight from every place, by each gesture and on each network, leaves a calculator at once, and nothing returns',
  { tag: ['@long', '@phone'] },
  async ({ browser }, { project }) => {
    test.setTimeout(60 * 60_000)
    const steps = reached.flatMap((place) =>
      gestures.flatMap((gesture) => networks.map((network) => ({ place, gesture, network }))),
    )
    await walkAll(browser, project.name, steps, 'flee-walk')
  },
)
