import { fireEvent, render, screen } from '../../../test/render.tsx'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FirstCalculator } from '../../app/FirstCalculator.tsx'
import { endEarlyKeys } from './early-keys.ts'
import { earlyEntry } from '../../../test/page.ts'

const script = readFileSync(join(import.meta.dirname, '../../../public/early.js'), 'utf8')

beforeEach(() => {
  localStorage.setItem('calc.terms', '1')
  window.eval(script)
})
afterEach(() => {
  endEarlyKeys(false)
  earlyEntry.forget()
  localStorage.clear()
})

/** Renders the calculator that replaces the face and returns its display; the key named `under` lies under every finger. */
function shown(under?: string) {
  document.elementFromPoint = () => (under ? screen.getByRole('button', { name: under }) : document.body)
  render(<FirstCalculator early={earlyEntry.get()} onEntry={earlyEntry.keep} onSettings={() => undefined} />)
  return screen.getByRole('status', { name: 'Result' }).textContent
}
const type = (...keys: string[]) => {
  for (const key of keys) fireEvent.keyDown(document.body, { key })
}
const point = (type: string, clientX: number) =>
  document.body.dispatchEvent(new MouseEvent(type, { clientX, clientY: 500, bubbles: true }))
const down = () => point('pointerdown', 100)
const up = (clientX = 102) => point('pointerup', clientX)

it('keys that are typed before the calculator is there are pressed once', () => {
  type('1', '2', 'Backspace', '5')
  expect(shown()).toBe('15')
  type('6')
  expect(screen.getByRole('status', { name: 'Result' }).textContent).toBe('156')
})

it('a tap on the face presses the key that stands there, a stroke none', () => {
  down()
  up()
  down()
  up(240)
  expect(shown('7')).toBe('7')
})

it('a tap that has begun on the face counts', () => {
  down()
  expect(shown('8')).toBe('8')
})

it('a page that shows another screen forgets what was pressed', () => {
  type('1')
  endEarlyKeys(false)
  expect(shown()).toBe('0')
})
