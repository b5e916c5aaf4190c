import { act, fireEvent, screen } from '@testing-library/react'
import { calculatorFace } from './calculator-face.tsx'
import { cover } from '../../../test/page.ts'

let isHidden = false
let pointer: 'coarse' | 'fine' = 'fine'
let root: HTMLElement

beforeAll(() => {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden })
  window.matchMedia = (query) => ({ matches: query === `(pointer: ${pointer})` }) as MediaQueryList
  root = document.createElement('div')
  root.id = 'root'
  document.body.append(root)
  let face = ''
  act(() => {
    face = calculatorFace()
  })
  cover.install(face)
})
beforeEach(() => {
  pointer = 'fine'
  root.innerHTML = '<p>Hello Ben</p><input aria-label="Reply" />'
})
afterEach(() => {
  document.cookie = 'v=; max-age=0'
  show()
})

const isCovered = () => document.documentElement.classList.contains('is-covered')
const hide = () => {
  isHidden = true
  document.dispatchEvent(new Event('visibilitychange'))
}
const show = () => {
  isHidden = false
  document.dispatchEvent(new Event('visibilitychange'))
}
const fire = (type: string) => window.dispatchEvent(new Event(type))

it('the cover has every key of the calculator and the number zero', () => {
  const cover = document.querySelector('.cover') as HTMLElement
  expect([...cover.querySelectorAll('[role=group] button')].map((key) => key.textContent)).toEqual([
    ...'C±%÷789×456−123+0.=',
  ])
  expect(cover.querySelector('output')?.textContent).toBe('0')
  expect(cover.querySelector('style, [style], script')).toBeNull()
})

it('the cover appears as soon as the page is hidden, and disappears when it is visible again', () => {
  hide()
  expect(isCovered()).toBe(true)
  fire('focus')
  expect(isCovered()).toBe(true)
  show()
  expect(isCovered()).toBe(false)
})

it('the cover returns the focus to the field that had it', () => {
  const field = screen.getByRole('textbox')
  field.focus()
  hide()
  field.blur()
  show()
  expect(document.activeElement).toBe(field)
})

it('the cover appears when the page is left', () => {
  fire('pagehide')
  expect(isCovered()).toBe(true)
})

it('the cover appears on blur on a touch device, until the focus returns', () => {
  pointer = 'coarse'
  fire('blur')
  expect(isCovered()).toBe(true)
  fire('focus')
  expect(isCovered()).toBe(false)
})

it('the cover does not appear on blur with a mouse', () => {
  fire('blur')
  expect(isCovered()).toBe(false)
})

it('the cover appears on blur with a mouse, too, when the device is discreet', () => {
  document.cookie = 'v=2'
  fire('blur')
  expect(isCovered()).toBe(true)
})

it('the cover does not appear on blur over a plain calculator, but over digits of a numeric password', () => {
  pointer = 'coarse'
  root.innerHTML = '<main data-calculator>12 + 3</main>'
  fire('blur')
  expect(isCovered()).toBe(false)
  root.innerHTML = '<main data-calculator><div data-private>••••</div></main>'
  fire('blur')
  expect(isCovered()).toBe(true)
})

it('the cover stays over a visible page until the pending decision has settled', async () => {
  hide()
  let decide = () => {}
  const decision = new Promise<void>((resolve) => (decide = resolve))
  cover.until(decision)
  show()
  expect(isCovered()).toBe(true)
  decide()
  await decision
  expect(isCovered()).toBe(false)
})

it('the cover disappears after a tap, which presses nothing beneath, but not while it is held for a lock', () => {
  pointer = 'coarse'
  fire('blur')
  const face = screen.getByRole('img', { name: 'Calculator' })
  fireEvent.pointerDown(face)
  fireEvent.pointerUp(face)
  // The click reaches the element that is on top now.
  expect(isCovered()).toBe(true)
  fireEvent.click(face)
  expect(isCovered()).toBe(false)
  cover.hold()
  show()
  fire('focus')
  expect(isCovered()).toBe(true)
})

it('a calculator beneath ends the cover of a page that stays, and not of one that is about to be replaced', () => {
  cover.takeKeys(true)
  cover.arrive()
  expect(cover.isLive()).toBe(false)
  cover.takeKeys(false)
  cover.arrive()
  expect(cover.isLive()).toBe(true)
  expect(root.isConnected).toBe(false)
  cover.release()
  expect(cover.isLive()).toBe(false)
  expect(root.isConnected).toBe(true)
})
