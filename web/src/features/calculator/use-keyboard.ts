import { useEffect, useEffectEvent } from 'react'
import { isCovered } from '../cover/cover.ts'
import type { CalculatorKey } from './calculator-state.ts'

const keys: Record<string, CalculatorKey> = {
  ',': '.',
  '-': '−',
  '*': '×',
  '/': '÷',
  Enter: '=',
  Escape: 'C',
  Backspace: 'backspace',
}
const sameName = /^[0-9.+%=]$/

/**
 * Lets a hardware keyboard press the calculator's keys, unless another control has the focus. The first key typed takes
 * the focus from a button, so that Enter then means equals.
 */
export function useKeyboard(onKey: (key: CalculatorKey) => void, enabled = true, isOnCover = false): void {
  const press = useEffectEvent(onKey)
  useEffect(() => {
    if (!enabled) return
    const onKeyDown = (event: KeyboardEvent) => {
      // A covered calculator must not take the keys of the one on the cover.
      if (isCovered() !== isOnCover) return
      const key = keyFor(event)
      if (key === undefined) return
      event.preventDefault()
      if (document.activeElement instanceof HTMLButtonElement) document.activeElement.blur()
      press(key)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [enabled, isOnCover])
}

function keyFor(event: KeyboardEvent): CalculatorKey | undefined {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return undefined
  if (event.repeat && event.key !== 'Backspace') return undefined
  if (isTypedElsewhere(event)) return undefined
  if (event.key === 'Enter' && event.target instanceof Element && event.target.closest('button, a'))
    return undefined
  return keys[event.key] ?? (sameName.test(event.key) ? (event.key as CalculatorKey) : undefined)
}

/** A field keeps the whole keyboard, and so does an open dialog. */
export function isTypedElsewhere({ target }: Event): boolean {
  if (document.querySelector('dialog[open]') !== null) return true
  return target instanceof Element && target.closest('input, textarea, select') !== null
}
