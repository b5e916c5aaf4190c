import { renderHook } from '../../../test/render.tsx'
import { useSwipe } from './use-swipe.ts'
import type { SwipePoint } from './use-swipe.ts'

interface Stroke {
  x: number
  y?: number
  ms: number
  /** The lifted pointer, if it is not the one that was put down. */
  finger?: number
  isPrimary?: boolean
  pointerType?: 'touch' | 'pen' | 'mouse'
  target?: Element
}

const background = document.createElement('div')

function stroke({
  x,
  y = 0,
  ms,
  finger = 1,
  isPrimary = true,
  pointerType = 'touch',
  target = background,
}: Stroke): number {
  let swipes = 0
  const { result } = renderHook(() => useSwipe(() => swipes++))
  const start: SwipePoint = {
    pointerId: 1,
    pointerType,
    isPrimary,
    target,
    clientX: 300,
    clientY: 300,
    timeStamp: 1000,
  }
  result.current.onPointerDown(start)
  const end = {
    ...start,
    pointerId: finger,
    clientX: 300 + x,
    clientY: 300 + y,
    timeStamp: 1000 + ms,
  }
  result.current.onPointerUp(end)
  // A second lift without a start never counts.
  result.current.onPointerUp(end)
  return swipes
}

function element(html: string): Element {
  document.body.innerHTML = html
  return document.body.firstElementChild as Element
}

afterEach(() => {
  window.getSelection()?.removeAllRanges()
  document.body.innerHTML = ''
})

it('CALC-18: a swipe counts from 70 px', () => {
  expect(stroke({ x: 69, ms: 300 })).toBe(0)
  expect(stroke({ x: 70, ms: 300 })).toBe(1)
})

it('CALC-19: a swipe counts up to 600 ms', () => {
  expect(stroke({ x: 100, ms: 600 })).toBe(1)
  expect(stroke({ x: 100, ms: 601 })).toBe(0)
})

it('CALC-20: a swipe counts to the left and to the right', () => {
  expect(stroke({ x: -70, ms: 100 })).toBe(1)
  expect(stroke({ x: 70, ms: 100 })).toBe(1)
})

it('a scroll or a gesture of two fingers is not a swipe', () => {
  expect(stroke({ x: 80, y: 80, ms: 100 })).toBe(0)
  expect(stroke({ x: 80, y: 90, ms: 100 })).toBe(0)
  expect(stroke({ x: 80, ms: 100, finger: 2 })).toBe(0)
  expect(stroke({ x: 80, ms: 100, isPrimary: false })).toBe(0)
})

it('a stroke that the browser cancels is not a swipe', () => {
  let swipes = 0
  const { result } = renderHook(() => useSwipe(() => swipes++))
  const point: SwipePoint = {
    pointerId: 1,
    pointerType: 'touch',
    isPrimary: true,
    target: background,
    clientX: 0,
    clientY: 0,
    timeStamp: 0,
  }
  result.current.onPointerDown(point)
  result.current.onPointerCancel()
  result.current.onPointerUp({ ...point, clientX: 200 })
  expect(swipes).toBe(0)
})

it('a swipe may start on text with a finger or a pen, but not with the mouse', () => {
  const target = element('<p>Some text</p>')
  expect(stroke({ x: 100, ms: 100, pointerType: 'touch', target })).toBe(1)
  expect(stroke({ x: 100, ms: 100, pointerType: 'pen', target })).toBe(1)
  expect(stroke({ x: 100, ms: 100, pointerType: 'mouse', target })).toBe(0)
})

it('a swipe may not start on a link or a field with the mouse, whose click would follow', () => {
  const target = element('<a href="/elsewhere"><span></span></a>').firstElementChild as Element
  expect(stroke({ x: 100, ms: 100, pointerType: 'mouse', target })).toBe(0)
  expect(stroke({ x: 100, ms: 100, pointerType: 'mouse', target: element('<textarea></textarea>') })).toBe(0)
})

it('a swipe counts with the mouse over the background, unless the drag selected text', () => {
  const target = element('<div><p>Some text</p></div>')
  expect(stroke({ x: 100, ms: 100, pointerType: 'mouse', target })).toBe(1)
  window.getSelection()?.selectAllChildren(target)
  expect(stroke({ x: 100, ms: 100, pointerType: 'mouse', target })).toBe(0)
  expect(stroke({ x: 100, ms: 100, pointerType: 'touch', target })).toBe(1)
})
