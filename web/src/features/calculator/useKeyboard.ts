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
 * Lets a hardware keyboard press the calculator's keys, unless something else on the page has the focus. A focused button
 * keeps Enter only until the first key is typed: Enter then belongs to the calculation.
 */
export function useKeyboard(onKey: (key: CalculatorKey) => void, enabled = true): void {
  const press = useEffectEvent(onKey)
  useEffect(() => {
    if (!enabled) return
    let isTyping = false
    const onFocusIn = () => {
      isTyping = false
    }
    const onKeyDown = (event: KeyboardEvent) => {
      const key = keyFor(event, isTyping)
      if (key === undefined) return
      isTyping = true
      event.preventDefault()
      press(key)
    }
    window.addEventListener('keydown', onKeyDown)
    window.addEventListener('focusin', onFocusIn)
    return () => {
      window.removeEventListener('keydown', onKeyDown)
      window.removeEventListener('focusin', onFocusIn)
    }
  }, [enabled])
}

function keyFor(event: KeyboardEvent, isTyping: boolean): CalculatorKey | undefined {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return undefined
  if (event.repeat && event.key !== 'Backspace') return undefined
  if (event.target instanceof Element && isElsewhere(event.target, event.key, isTyping)) return undefined
  return keys[event.key] ?? (sameName.test(event.key) ? (event.key as CalculatorKey) : undefined)
}

/** A field has every key to itself, and so has an open dialog. */
function isElsewhere(target: Element, key: string, isTyping: boolean): boolean {
  if (target.ownerDocument.querySelector('dialog[open]') !== null) return true
  if (target.closest('input, textarea, select') !== null) return true
  return key === 'Enter' && !isTyping && target.closest('button, a') !== null
}
