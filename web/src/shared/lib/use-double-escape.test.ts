import { fireEvent, renderHook } from '@testing-library/react'
import { useDoubleEscape } from './use-double-escape.ts'

/** How often the callback ran after these keys, with the time since the previous key. */
function pressed(
  ...keys: { key: string; afterMs: number; repeat?: boolean; isComposing?: boolean }[]
): number {
  let count = 0
  const { unmount } = renderHook(() => useDoubleEscape(() => count++))
  let at = 1000
  for (const { key, afterMs, repeat = false, isComposing = false } of keys) {
    at += afterMs
    const event = new KeyboardEvent('keydown', { key, repeat, isComposing, bubbles: true })
    Object.defineProperty(event, 'timeStamp', { value: at })
    fireEvent(document.body, event)
  }
  unmount()
  const whileMounted = count
  fireEvent.keyDown(document.body, { key: 'Escape' })
  fireEvent.keyDown(document.body, { key: 'Escape' })
  expect(count).toBe(whileMounted)
  return count
}

it('useDoubleEscape calls back at the second Escape within 600 ms', () => {
  expect(pressed({ key: 'Escape', afterMs: 0 })).toBe(0)
  expect(pressed({ key: 'Escape', afterMs: 0 }, { key: 'Escape', afterMs: 600 })).toBe(1)
  expect(pressed({ key: 'Escape', afterMs: 0 }, { key: 'Escape', afterMs: 601 })).toBe(0)
})

it('useDoubleEscape does not count a held key, a key of an input method, nor two presses with another key between them', () => {
  expect(pressed({ key: 'Escape', afterMs: 0 }, { key: 'Escape', afterMs: 30, repeat: true })).toBe(0)
  expect(pressed({ key: 'Escape', afterMs: 0 }, { key: 'Escape', afterMs: 30, isComposing: true })).toBe(0)
  expect(
    pressed({ key: 'Escape', afterMs: 0 }, { key: 'a', afterMs: 100 }, { key: 'Escape', afterMs: 100 }),
  ).toBe(0)
})

it('useDoubleEscape notices the key although the focused element stops the event', () => {
  const stop = (event: Event) => event.stopPropagation()
  document.body.addEventListener('keydown', stop)
  expect(pressed({ key: 'Escape', afterMs: 0 }, { key: 'Escape', afterMs: 100 })).toBe(1)
  document.body.removeEventListener('keydown', stop)
})
