import { jest } from '@jest/globals'
import { act, cleanup, fireEvent, render, screen } from '../../../test/render.tsx'
import { useRef } from 'react'
import { fakeMessaging } from '../../../test/fake-messaging.tsx'
import { MessageActions } from '../../app/chunks/unlocked.tsx'
import { MessageMenu } from './MessageMenu.tsx'

let presses: number
const copied: string[] = []
let messaging: Awaited<ReturnType<typeof fakeMessaging>>

function Chat() {
  const scroller = useRef<HTMLDivElement>(null)
  return (
    <MessageMenu scroller={scroller} id="c">
      <div ref={scroller} tabIndex={0}>
        <article tabIndex={-1}>
          <span dir="auto">take me with you</span>
          <button onClick={() => (presses += 1)}>Open photo</button>
        </article>
      </div>
    </MessageMenu>
  )
}

// The chat loads the menu after its first paint.
beforeAll(async () => {
  messaging = await fakeMessaging()
  const message = document.createElement('article')
  message.innerHTML = '<span dir="auto"></span>'
  render(<MessageActions {...{ message }} x={0} y={0} id="c" onClose={() => undefined} />, {
    wrapper: messaging.Wrapper,
  })
  await screen.findByRole('menu')
  cleanup()
})
beforeEach(() => {
  presses = 0
  copied.splice(0)
  const writeText = (text: string) => Promise.resolve(void copied.push(text))
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
  jest.useFakeTimers()
  render(<Chat />, { wrapper: messaging.Wrapper })
})
afterEach(() => {
  jest.useRealTimers()
})

function touch(over: Element, kind: string, pointerType = 'touch') {
  const event = new MouseEvent(kind, { bubbles: true, cancelable: true, detail: kind === 'click' ? 1 : 0 })
  Object.assign(event, { pointerId: 1, isPrimary: true, pointerType })
  fireEvent(over, event)
  return event
}
const photo = () => screen.getByRole('button', { name: 'Open photo' })
const menu = () => screen.queryByRole('menu')
const copy = () => screen.getByRole('menuitem', { name: 'Copy' })
function hold() {
  touch(photo(), 'pointerdown')
  act(() => jest.advanceTimersByTime(500))
}
/** Lifts the finger. The first touched element has captured it, and a click may follow at its present place. */
function lift(over: Element) {
  touch(photo(), 'pointerup')
  const end = touch(photo(), 'touchend')
  if (!end.defaultPrevented) touch(over, 'click')
  return end
}
function tap(over: () => Element) {
  for (const kind of ['pointerdown', 'pointerup', 'touchend', 'mousedown', 'mouseup', 'click'])
    touch(over(), kind)
}

it('the menu of a message opens while the finger is still down, with the focus inside; Escape closes it', () => {
  touch(photo(), 'pointerdown')
  act(() => jest.advanceTimersByTime(490))
  expect(menu()).toBeNull()
  act(() => jest.advanceTimersByTime(10))
  expect(document.activeElement).toBe(copy())
  fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' })
  expect(menu()).toBeNull()
})

it('lifting the finger neither closes the menu, nor presses an item or what lies beneath, whatever the browser makes of it', () => {
  hold()
  const end = lift(copy())
  expect(end.defaultPrevented).toBe(true)
  // Some browsers send a click all the same.
  touch(copy(), 'click')
  expect(document.activeElement).toBe(copy())
  expect(copied).toEqual([])
  expect(presses).toBe(0)
  tap(copy)
  expect(copied).toEqual(['take me with you'])
  expect(menu()).toBeNull()
})

it('a click beside the menu closes it and presses nothing beneath', () => {
  hold()
  lift(photo())
  const layer = () => menu()?.parentElement ?? photo()
  tap(layer)
  expect(menu()).toBeNull()
  expect(presses).toBe(0)
})

it('a screen reader presses an item after a while without any pointer', () => {
  hold()
  lift(copy())
  act(() => jest.advanceTimersByTime(1000))
  touch(copy(), 'click')
  expect(copied).toEqual(['take me with you'])
})

it('a finger that moves or is lifted early opens nothing', () => {
  touch(photo(), 'pointerdown')
  fireEvent(
    photo(),
    Object.assign(new MouseEvent('pointermove', { bubbles: true, clientX: 30 }), { pointerId: 1 }),
  )
  act(() => jest.advanceTimersByTime(1000))
  touch(photo(), 'pointerup')
  tap(photo)
  expect(menu()).toBeNull()
  expect(presses).toBe(1)
})

it('a right click opens it at once', () => {
  touch(photo(), 'contextmenu', 'mouse')
  expect(document.activeElement).toBe(copy())
})
