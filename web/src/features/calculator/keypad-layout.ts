import type { CalculatorKey } from './calculator-state.ts'

export type KeyLook = 'digit' | 'function' | 'operator' | 'equals'

/** The printed text of a key is also its name. */
export type KeypadKey = { key: CalculatorKey; look: KeyLook; wide?: true }

/** The keypad shows these keys in reading order, four to a row. */
export const keypad: KeypadKey[] = [
  { key: 'C', look: 'function' },
  { key: '±', look: 'function' },
  { key: '%', look: 'function' },
  { key: '÷', look: 'operator' },
  { key: '7', look: 'digit' },
  { key: '8', look: 'digit' },
  { key: '9', look: 'digit' },
  { key: '×', look: 'operator' },
  { key: '4', look: 'digit' },
  { key: '5', look: 'digit' },
  { key: '6', look: 'digit' },
  { key: '−', look: 'operator' },
  { key: '1', look: 'digit' },
  { key: '2', look: 'digit' },
  { key: '3', look: 'digit' },
  { key: '+', look: 'operator' },
  { key: '0', look: 'digit', wide: true },
  { key: '.', look: 'digit' },
  { key: '=', look: 'equals' },
]
