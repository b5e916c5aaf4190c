import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { mountCoverCalculator } from '../../app/CoverCalculator.tsx'
import { handedOver } from '../calculator/handed-over.ts'
import { startingCalculator } from '../calculator/use-kept-history.ts'
import { forgetDevice, rememberDevice } from '../device/remember-device.ts'
import { createFlight } from './flight.ts'
import { page, earlyEntry, cover, place, testPage } from '../../../test/page.ts'

const real = { ...page }
const replaced: string[] = []
let canReplace = true

beforeAll(() => {
  const root = document.createElement('div')
  root.id = 'root'
  root.innerHTML = '<p>Hello Ben</p><dialog open>A photo</dialog>'
  document.body.append(root)
  cover.install('<p>Face</p>', (box) => mountCoverCalculator(box, testPage))
})
beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('calc.terms', '1')
  replaced.length = 0
  canReplace = true
  page.replace = (address) => void replaced.push(address)
  page.canReplace = () => canReplace
  rememberDevice(false)
  earlyEntry.forget()
})
afterEach(() => {
  act(() => cover.release())
  Object.assign(page, real)
  forgetDevice()
  place.enter('calculator')
})

const isCovered = () => document.documentElement.classList.contains('is-covered')
const result = () => screen.getByRole('status', { name: 'Result' }).textContent
const flee = () => act(() => createFlight(testPage).flee())

it('a flight covers the page and takes it out of the document in the same task, records a lock and replaces the page', () => {
  place.enter('inner')
  createFlight(testPage).flee()
  expect(isCovered()).toBe(true)
  expect(document.body.textContent).not.toMatch(/Ben|photo/)
  expect(localStorage.getItem('calc.l')).toBe('1')
  expect(replaced).toEqual(['/'])
})

it('what is typed on the cover is shown there, and goes on in the page that takes its place', async () => {
  place.enter('inner')
  flee()
  await userEvent.keyboard('12+3')
  expect(result()).toBe('3')
  await userEvent.click(screen.getByRole('button', { name: /^(four|4)$/ }))
  expect(result()).toBe('34')
  const typed = handedOver.take(startingCalculator(testPage.preferences))
  expect(typed?.state).toMatchObject({ display: '34', storedNumber: '12', pendingOperator: '+' })
  expect(handedOver.take(startingCalculator(testPage.preferences))).toBeNull()
})

it('a number that is typed on the cover is hidden as on the calculator, and is gone from the tab once it is read', async () => {
  place.enter('inner')
  flee()
  await userEvent.keyboard('+1815=')
  expect(handedOver.take(startingCalculator(testPage.preferences))).toMatchObject({
    hidden: '1815',
    isSubmitted: true,
  })
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('1815')
})

it('the app closes what is open once it is there', () => {
  place.enter('inner')
  const flight = createFlight(testPage)
  let closed = 0
  flight.setLock(() => (closed += 1))
  act(() => flight.flee())
  act(() => flight.flee())
  expect(closed).toBe(1)
  expect(replaced).toEqual([])
})

it('a device without an account owes no lock', () => {
  forgetDevice()
  place.enter('inner')
  flee()
  expect(localStorage.getItem('calc.l')).toBeNull()
  expect(replaced).toEqual(['/'])
})

it('a public form is replaced, so that nothing of it stays, and owes no lock itself', () => {
  place.enter('public')
  flee()
  expect(isCovered()).toBe(true)
  expect(localStorage.getItem('calc.l')).toBeNull()
  expect(replaced).toEqual(['/'])
})

it('the set-up takes a flight as Cancel, covered until the calculator is there', async () => {
  place.enter('inner')
  let cancelled = 0
  const leave = place.enterSetUp(() => (cancelled += 1))
  flee()
  expect(cancelled).toBe(1)
  expect(isCovered()).toBe(true)
  expect(replaced).toEqual([])
  await userEvent.keyboard('7')
  act(() => place.enter('calculator'))
  await waitFor(() => expect(isCovered()).toBe(false))
  expect(earlyEntry.get()?.state.display).toBe('7')
  leave()
})

it('a page that cannot be replaced goes to its own calculator, and is covered until that is there', async () => {
  canReplace = false
  let shown = 0
  place.setWay(() => (shown += 1))
  place.enter('inner')
  const flight = createFlight(testPage)
  let closed = 0
  flight.setLock(() => (closed += 1))
  act(() => flight.flee())
  expect([closed, shown]).toEqual([1, 1])
  expect(document.querySelector('#root dialog[open]')).toBeNull()
  expect(isCovered()).toBe(true)
  act(() => place.enter('calculator'))
  await waitFor(() => expect(isCovered()).toBe(false))
})

it('a page that cannot be replaced shows no page of the browser either before its app is there', () => {
  canReplace = false
  let shown = 0
  place.setWay(() => (shown += 1))
  place.enter('inner')
  flee()
  expect(replaced).toEqual([])
  expect(shown).toBeGreaterThan(0)
  expect(localStorage.getItem('calc.l')).toBe('1')
})

it('nothing flees from the calculator', () => {
  place.enter('calculator')
  flee()
  expect(isCovered()).toBe(false)
  expect(replaced).toEqual([])
})
