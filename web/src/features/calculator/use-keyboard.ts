import { useEffect, useEffectEvent } from 'react'
import type { CalculatorKey } from './machine.ts'

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
export function useKeyboard(onKey: (key: CalculatorKey) => void, enabled = true): void {
  const press = useEffectEvent(onKey)
  useEffect(() => {
    if (!enabled) return
    const onKeyDown = (event: KeyboardEvent) => {
      const key = keyFor(event)
      if (key === undefined) return
      event.preventDefault()
      if (document.activeElement instanceof HTMLButtonElement) document.activeElement.blur()
      press(key)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [enabled])
}

function keyFor(event: KeyboardEvent): CalculatorKey | undefined {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return undefined
  if (event.repeat && event.key !== 'Backspace') return undefined
  if (event.target instanceof Element && isElsewhere(event.target, event.key)) return undefined
  return keys[event.key] ?? (sameName.test(event.key) ? (event.key as CalculatorKey) : undefined)
}

/** A focused button keeps Enter, a field keeps all keys, and an open dialog keeps the whole keyboard. */
function isElsewhere(target: Element, key: string): boolean {
  if (target.ownerDocument.querySelector('dialog[open]') !== null) return true
  if (target.closest('input, textarea, select') !== null) return true
  return key === 'Enter' && target.closest('button, a') !== null
}
