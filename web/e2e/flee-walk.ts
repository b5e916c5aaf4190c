import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { fleePlaces } from './flee-places.ts'
import type { FleePlace } from './flee-places.ts'
import type { Way } from './flee-ways.ts'
import type { Walker, WalkerName } from './flee-walkers.ts'
import { storageOf } from './lock-memory.ts'
import { storedEntries } from './stored-entries.ts'
import { pressEscapeTwice } from './timed-input.ts'
import { strokeByTouch } from './touch.ts'

type Network = 'online' | 'offline' | 'silent'
type Gesture = 'swipe' | 'Escape twice'
export const networks: readonly Network[] = ['online', 'offline', 'silent']
export const gestures: readonly Gesture[] = ['swipe', 'Escape twice']

/** A place, and the way of one walker to it. */
interface Goal {
  place: FleePlace
  by: WalkerName
  way: Way
}

export const goals: readonly Goal[] = fleePlaces.flatMap((place) =>
  typeof place.by === 'string'
    ? []
    : Object.entries(place.by).map(([by, way]) => ({ place, by: by as WalkerName, way })),
)

/** The text of a calculator: its name and its keys. */
const calculator = /^(?:Calculator)?\s*(?:[C±%÷789×456−123+0.=\s])*$/
const equals = (page: Page) => page.getByRole('button', { name: '=', exact: true })

async function setNetwork(page: Page, network: Network): Promise<void> {
  await page.context().setOffline(network === 'offline')
  // Requests without an answer, not refused ones.
  if (network === 'silent') await page.route('**/api/**', () => undefined)
}

async function flee(page: Page, { type, swipe }: FleePlace, gesture: Gesture): Promise<void> {
  // On a form the stroke begins above the fields, because a stroke inside a field belongs to the field.
  const from = { x: 120, y: type === 'form' ? 60 : 400 }
  if (gesture === 'swipe') await strokeByTouch(page, swipe ? await swipe(page) : { from, byX: 160 })
  else await pressEscapeTwice(page)
}

/** A page that is being replaced answers a moment later. */
async function ask<T>(question: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await question()
    } catch (error) {
      if (!/context was destroyed|navigat/.test(String(error))) throw error
    }
  }
}

/** Returns the present content of the document. */
const nowIn = (page: Page) =>
  ask(() =>
    page.evaluate(() => ({
      text: document.querySelector('body')?.innerText ?? '',
      whole: document.getElementById('root')?.textContent ?? '',
      values: [...document.querySelectorAll('input')].map(({ value }) => value).join(' '),
      isRecorded: localStorage.getItem('calc.l') === '1',
    })),
  )

async function expectNothingInner(page: Page, { secrets }: Walker): Promise<void> {
  await expect(equals(page)).toBeVisible()
  await expect(page).toHaveURL('/')
  await expect(page.getByText('Secure Messages')).toHaveCount(0)
  const { text, whole, values } = await nowIn(page)
  const stored = await ask(async () => [await storageOf(page), JSON.stringify(await storedEntries(page))])
  const kept = [text, whole, values, ...stored].join()
  for (const secret of secrets) expect(kept).not.toContain(secret)
}

// Chromium refuses both while the page is being replaced.
const reload = (page: Page) => expect(() => page.reload()).toPass()
const goBack = (page: Page) => expect(() => page.goBack()).toPass()

/** Goes to the place in a new tab, flees from there, and searches for traces. */
export async function walk(walker: Walker, { place, way }: Goal, gesture: Gesture, network: Network) {
  const { context, begin, secrets, answer, reloaded } = walker
  const page = await context.newPage()
  await page.goto('/')
  await begin(page)
  await way(page)
  await setNetwork(page, network)
  await flee(page, place, gesture)

  const { text, whole, values, isRecorded } = await nowIn(page)
  expect(text).toMatch(calculator)
  for (const secret of secrets) expect(whole + values).not.toContain(secret)
  // Nothing is open behind a form, so the calculator records the lock when the person arrives.
  if (network !== 'online' && place.type !== 'form' && answer === 423) expect(isRecorded).toBe(true)
  await expectNothingInner(page, walker)
  await goBack(page)
  await expectNothingInner(page, walker)
  await reload(page)
  if (reloaded && network === 'online') await reloaded(page)
  else await expectNothingInner(page, walker)

  await page.unrouteAll()
  await setNetwork(page, 'online')
  await reload(page)
  await expect.poll(async () => (await page.request.get('/api/conversations')).status()).toBe(answer)
  await page.close()
}

const artefact = join(import.meta.dirname, '../../artifacts/flee-walk.json')
interface Walked {
  source: string
  type: string
  by: string
  gesture: Gesture
  network: Network
  at: string
}

const readWalked = (): Walked[] => {
  try {
    return (JSON.parse(readFileSync(artefact, 'utf8')) as { walked: Walked[] }).walked
  } catch {
    return []
  }
}

/** Adds a flight to the list of all places, including those that nobody walks. */
export function list({ place: { source, type }, by }: Goal, gesture: Gesture, network: Network): void {
  const isOther = (row: Walked) =>
    row.source !== source || row.by !== by || row.gesture !== gesture || row.network !== network
  const walked = [
    ...readWalked().filter(isOther),
    { source, type, by, gesture, network, at: new Date().toISOString() },
  ]
  const left = fleePlaces.flatMap(({ source, by }) => (typeof by === 'string' ? [{ source, why: by }] : []))
  mkdirSync(join(artefact, '..'), { recursive: true })
  writeFileSync(artefact, JSON.stringify({ walked, left }, null, 2))
}
