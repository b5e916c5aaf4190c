import { jest } from '@jest/globals'
import { act, fireEvent, render, screen } from '../../../test/render.tsx'
import { PlainCalculator } from '../calculator/PlainCalculator.tsx'
import { replaceWhenUnused } from './replace-unused.ts'
import { preferences } from '../../../test/page.ts'

let replaced = 0
let stop: () => void
const pass = (ms: number) => act(() => jest.advanceTimersByTime(ms))
const press = (key: string) => fireEvent.keyDown(window, { key })

beforeEach(() => {
  jest.useFakeTimers()
  sessionStorage.clear()
  localStorage.clear()
  replaced = 0
  const root = document.createElement('div')
  root.id = 'root'
  document.body.append(root)
  render(<PlainCalculator />, { container: root })
  stop = replaceWhenUnused(() => (replaced += 1))
})
afterEach(() => {
  stop()
  jest.useRealTimers()
  preferences.change({ keepsHistory: true })
  document.getElementById('root')?.remove()
})

it('an outdated calculator is replaced after it was left alone for some seconds, once', () => {
  pass(2500)
  expect(replaced).toBe(0)
  pass(1500)
  expect(replaced).toBe(1)
  pass(120_000)
  expect(replaced).toBe(1)
})

it.each([
  ['a number', '12'],
  ['an operator', '+'],
  ['a result', '1+2='],
])('an outdated calculator that shows %s is replaced only after it was cleared', (_what, keys) => {
  for (const key of keys) press(key)
  pass(60_000)
  expect(replaced).toBe(0)
  press('Escape')
  pass(2500)
  expect(replaced).toBe(0)
  pass(1500)
  expect(replaced).toBe(1)
})

it('an outdated calculator is not replaced while its menu is open or a finger is down', () => {
  fireEvent.click(screen.getByRole('button', { name: 'Menu' }))
  pass(60_000)
  expect(replaced).toBe(0)
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  fireEvent.pointerDown(window)
  pass(60_000)
  expect(replaced).toBe(0)
  fireEvent.pointerUp(window)
  pass(4000)
  expect(replaced).toBe(1)
})

it('an outdated calculator is not replaced while its tape would be lost', () => {
  act(() => preferences.change({ keepsHistory: false }))
  for (const key of '1+2=') press(key)
  press('Escape')
  pass(60_000)
  expect(replaced).toBe(0)
  fireEvent.click(screen.getByRole('button', { name: 'Clear history' }))
  pass(4000)
  expect(replaced).toBe(1)
})

it('another screen than the calculator is not replaced', () => {
  document.querySelector('[data-calculator]')?.removeAttribute('data-unused')
  pass(60_000)
  expect(replaced).toBe(0)
})

it('an outdated page is replaced at most once a minute', () => {
  pass(4000)
  const stopNext = replaceWhenUnused(() => (replaced += 1))
  pass(30_000)
  expect(replaced).toBe(1)
  pass(40_000)
  expect(replaced).toBe(2)
  stopNext()
})
