import { renderHook } from '@testing-library/react'
import { useSwipe } from './useSwipe.ts'

function stroke(by: { x: number; y?: number; ms: number; finger?: number }): number {
  let swipes = 0
  const { result } = renderHook(() => useSwipe(() => swipes++))
  const start = { pointerId: 1, isPrimary: true, clientX: 300, clientY: 300, timeStamp: 1000 }
  result.current.onPointerDown(start)
  result.current.onPointerUp({
    pointerId: by.finger ?? 1,
    isPrimary: true,
    clientX: 300 + by.x,
    clientY: 300 + (by.y ?? 0),
    timeStamp: 1000 + by.ms,
  })
  return swipes
}

it('CALC-18: counts from 70 px', () => {
  expect(stroke({ x: 69, ms: 300 })).toBe(0)
  expect(stroke({ x: 70, ms: 300 })).toBe(1)
})

it('CALC-19: counts up to 600 ms', () => {
  expect(stroke({ x: 100, ms: 600 })).toBe(1)
  expect(stroke({ x: 100, ms: 601 })).toBe(0)
})

it('CALC-20: counts to the left and to the right', () => {
  expect(stroke({ x: -70, ms: 100 })).toBe(1)
  expect(stroke({ x: 70, ms: 100 })).toBe(1)
})

it('is not a scroll, nor the meeting of two fingers', () => {
  expect(stroke({ x: 80, y: 90, ms: 100 })).toBe(0)
  expect(stroke({ x: 80, ms: 100, finger: 2 })).toBe(0)
})

it('forgets a stroke the browser took over', () => {
  let swipes = 0
  const { result } = renderHook(() => useSwipe(() => swipes++))
  const point = { pointerId: 1, isPrimary: true, clientX: 0, clientY: 0, timeStamp: 0 }
  result.current.onPointerDown(point)
  result.current.onPointerCancel()
  result.current.onPointerUp({ ...point, clientX: 200 })
  expect(swipes).toBe(0)
})
