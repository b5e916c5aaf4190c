import { decimalDigits } from '@sumlock/contracts/decimal-digits'
import { useEffect, useEffectEvent } from 'react'
import { isCovered } from '../device/is-covered.ts'
import type { CalculatorKey } from './calculator-state.ts'

/** Keyboards of all layouts produce these characters for the calculator's keys. */
const printed: [key: CalculatorKey, characters: string][] = [
  ['+', '+＋﹢'],
  ['−', '-−–—‐‑－﹣'],
  ['×', '*×xXхХ·⋅∙•✕✖∗＊﹡'],
  ['÷', '/÷:∕⁄∶／：'],
  ['=', '=＝'],
  ['%', '%٪％﹪'],
  ['.', '.,٫．，'],
  ['±', '±'],
]
const named: [key: CalculatorKey, names: string[]][] = [
  ['=', ['Enter']],
  ['C', ['Escape', 'Clear']],
  ['backspace', ['Backspace']],
  ['clearEntry', ['Delete']],
  ['+', ['Add']],
  ['−', ['Subtract']],
  ['×', ['Multiply']],
  ['÷', ['Divide']],
  ['.', ['Decimal', 'Separator']],
]
const keys: ReadonlyMap<string, CalculatorKey> = new Map(
  [...named, ...printed.map(([key, characters]) => [key, [...characters]] as const)].flatMap(([key, all]) =>
    all.map((name) => [name, key] as const),
  ),
)

/**
 * Lets a hardware keyboard press the calculator's keys, unless another control has the focus. The first typed key takes
 * the focus from a button, so that Enter then means equals.
 */
export function useKeyboard(onKey: (key: CalculatorKey) => void, enabled = true, isOnCover = false): void {
  const press = useEffectEvent(onKey)
  useEffect(() => {
    if (!enabled) return
    const onKeyDown = (event: KeyboardEvent) => {
      // A calculator under the cover must not take keys that are meant for the one on the cover.
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
  if (event.defaultPrevented || event.isComposing || isShortcut(event)) return undefined
  if (event.repeat && event.key !== 'Backspace') return undefined
  if (isTypedElsewhere(event)) return undefined
  if (event.key === 'Enter' && event.target instanceof Element && event.target.closest('button, a'))
    return undefined
  const digit = decimalDigits(event.key)
  return keys.get(event.key) ?? (/^[0-9]$/.test(digit) ? (digit as CalculatorKey) : undefined)
}

/**
 * Returns whether a key belongs to a shortcut. Alt Gr and the Option key of a Mac do not make one if they type a
 * character of their own, such as ÷ or –.
 */
function isShortcut(event: KeyboardEvent): boolean {
  if (event.metaKey) return true
  if (event.getModifierState('AltGraph')) return false
  return event.ctrlKey || (event.altKey && !/^[^\x20-\x7e]$/.test(event.key))
}

/** Returns whether a field or an open dialog, and not the calculator, takes the keys. */
export function isTypedElsewhere({ target }: Event): boolean {
  if (document.querySelector('dialog[open]') !== null) return true
  return target instanceof Element && target.closest('input, textarea, select') !== null
}
