import { jest } from '@jest/globals'
import { fireEvent } from '@testing-library/react'
import type { PlaceKind } from './place.ts'
import { watchFlight } from './watch-flight.ts'

let flights: number
let place: PlaceKind
let at: number
let stop: () => void

beforeEach(() => {
  flights = 0
  at = 1000
  place = 'inner'
  stop = watchFlight({ place: () => place, flee: () => (flights += 1) })
})
afterEach(() => {
  stop()
  document.body.innerHTML = ''
  window.getSelection()?.removeAllRanges()
})

interface Finger {
  id: number
  x: number
  y?: number
}

function touch(type: string, target: Element, changed: Finger[], down: Finger[]): void {
  const list = (fingers: Finger[]) =>
    fingers.map(({ id, x, y = 300 }) => ({ identifier: id, clientX: x, clientY: y }))
  const event = new Event(type, { bubbles: true })
  Object.defineProperties(event, {
    timeStamp: { value: at },
    touches: { value: list(down) },
    changedTouches: { value: list(changed) },
  })
  target.dispatchEvent(event)
}

function swipe(target: Element, byX = 120, during: () => void = () => undefined): void {
  touch('touchstart', target, [{ id: 1, x: 200 }], [{ id: 1, x: 200 }])
  at += 200
  during()
  touch('touchend', target, [{ id: 1, x: 200 + byX }], [])
}

function element(html: string): HTMLElement {
  document.body.innerHTML = html
  return document.body.firstElementChild as HTMLElement
}

it('a finger flees in the task of its lift, also when the browser cancels its pointer or an element stops the events', () => {
  const target = element('<dialog open><p>Text</p></dialog>').firstElementChild as HTMLElement
  target.addEventListener('touchend', (event) => event.stopPropagation())
  swipe(target, 120, () => fireEvent.pointerCancel(target))
  expect(flights).toBe(1)
  swipe(target, -120)
  expect(flights).toBe(2)
  swipe(target, 40)
  expect(flights).toBe(2)
})

it('a gesture of two fingers never flees, also when they are lifted one by one', () => {
  const target = element('<p>Text</p>')
  touch('touchstart', target, [{ id: 1, x: 200 }], [{ id: 1, x: 200 }])
  touch(
    'touchstart',
    target,
    [{ id: 2, x: 210 }],
    [
      { id: 1, x: 200 },
      { id: 2, x: 210 },
    ],
  )
  at += 100
  touch('touchend', target, [{ id: 2, x: 330 }], [{ id: 1, x: 320 }])
  touch('touchend', target, [{ id: 1, x: 320 }], [])
  expect(flights).toBe(0)
  swipe(target)
  expect(flights).toBe(1)
})

it('a stroke over an element that is removed during the stroke flees: a spinner, a row, a notice', () => {
  const target = element('<p>Loading</p>')
  swipe(target, 120, () => target.remove())
  expect(flights).toBe(1)
  const dialog = element('<div><input value="ABCD" /><p>Code</p></div>')
  dialog.querySelector('input')?.focus()
  swipe(dialog.querySelector('p') as Element, 120, () => dialog.remove())
  expect(flights).toBe(2)
})

it('a stroke over an element that is removed during the stroke belongs to it where the attribute says so', () => {
  const target = element('<div data-swipe="own"><p>Recording</p></div>').firstElementChild as Element
  swipe(target, 120, () => target.remove())
  expect(flights).toBe(0)
})

it('a stroke that the system takes away never flees', () => {
  const target = element('<p>Text</p>')
  swipe(target, 120, () => touch('touchcancel', target, [{ id: 1, x: 260 }], []))
  expect(flights).toBe(0)
})

it('a stroke that scrolled something sideways never flees, one that could not does', () => {
  const scroller = element('<div><p>Wide</p></div>')
  const inside = scroller.firstElementChild as HTMLElement
  swipe(inside, -120, () => (scroller.scrollLeft = 60))
  expect(flights).toBe(0)
  swipe(inside, -120)
  expect(flights).toBe(1)
})

it('a stroke that moved the value of a slider never flees, one that moved none does', () => {
  const range = element('<input type="range" min="0" max="100" value="20" />') as HTMLInputElement
  swipe(range, 120, () => (range.value = '60'))
  expect(flights).toBe(0)
  swipe(range)
  expect(flights).toBe(1)
  const slider = element('<div role="slider" aria-valuenow="1"><i></i></div>')
  swipe(slider.firstElementChild as Element, 120, () => slider.setAttribute('aria-valuenow', '3'))
  expect(flights).toBe(1)
})

it('a stroke that selected text never flees; text that was selected before does not hold a finger', () => {
  const text = element('<p>Some text</p>')
  swipe(text, 120, () => window.getSelection()?.selectAllChildren(text))
  expect(flights).toBe(0)
  swipe(text)
  expect(flights).toBe(1)
})

it('a stroke that moved the caret of a field never flees', () => {
  const field = element('<textarea>Some text</textarea>') as HTMLTextAreaElement
  field.focus()
  field.setSelectionRange(9, 9)
  swipe(field, -120, () => field.setSelectionRange(2, 2))
  expect(flights).toBe(0)
  swipe(field)
  expect(flights).toBe(1)
})

it('a zoomed page never flees', () => {
  const target = element('<p>Text</p>')
  Object.defineProperty(window, 'visualViewport', {
    configurable: true,
    value: { scale: 2, offsetLeft: 0 },
  })
  swipe(target)
  expect(flights).toBe(0)
  Reflect.deleteProperty(window, 'visualViewport')
  swipe(target)
  expect(flights).toBe(1)
})

it('strokes that begin in a marked element are its own', () => {
  const target = element('<div data-swipe="own"><i></i></div>').firstElementChild as Element
  swipe(target)
  expect(flights).toBe(0)
})

it('a mouse flees over the background, and not when it selected text', () => {
  const target = element('<div><p>Some text</p></div>')
  const drag = (from: Element) => {
    const mouse = { pointerId: 1, pointerType: 'mouse', isPrimary: true, clientY: 300 }
    from.dispatchEvent(Object.assign(new Event('pointerdown', { bubbles: true }), { ...mouse, clientX: 200 }))
    from.dispatchEvent(Object.assign(new Event('pointerup', { bubbles: true }), { ...mouse, clientX: 330 }))
  }
  drag(target)
  expect(flights).toBe(1)
  drag(target.firstElementChild as Element)
  expect(flights).toBe(1)
  window.getSelection()?.selectAllChildren(target)
  drag(target)
  expect(flights).toBe(1)
})

describe('Escape', () => {
  const press = (afterMs: number, keys: KeyboardEventInit = {}) => {
    at += afterMs
    const event = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, ...keys })
    Object.defineProperty(event, 'timeStamp', { value: at })
    fireEvent(document.body, event)
  }

  it('flees when it is pressed twice within 600 ms', () => {
    press(0)
    press(601)
    expect(flights).toBe(0)
    press(600)
    expect(flights).toBe(1)
  })

  it('does not flee when it is held, belongs to an input method, or another key lies between', () => {
    press(0)
    press(30, { repeat: true })
    press(700)
    press(30, { isComposing: true })
    press(700)
    press(30, { keyCode: 229 })
    press(700)
    press(30, { key: 'a' })
    press(30)
    expect(flights).toBe(0)
  })

  it('flees although the focused element stops the event, and never from the calculator', () => {
    const onKeyDown = (event: Event) => event.stopPropagation()
    document.body.addEventListener('keydown', onKeyDown)
    press(700)
    press(100)
    expect(flights).toBe(1)
    document.body.removeEventListener('keydown', onKeyDown)
    place = 'calculator'
    press(700)
    press(100)
    expect(flights).toBe(1)
  })
})

it('nothing flees after the watch has ended', () => {
  stop()
  swipe(element('<p>Text</p>'))
  expect(flights).toBe(0)
})

it('its listeners receive every event first, and delay no scrolling', () => {
  const add = jest.spyOn(window, 'addEventListener')
  watchFlight({ place: () => place, flee: () => undefined })()
  const options = add.mock.calls.map(([, , given]) => given)
  add.mockRestore()
  expect(options.length).toBeGreaterThan(0)
  for (const given of options) expect(given).toMatchObject({ capture: true, passive: true })
})
