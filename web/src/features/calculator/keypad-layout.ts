import type { CalculatorKey } from './machine.ts'

export type KeyLook = 'digit' | 'function' | 'operator' | 'equals'

export type KeypadKey = { key: CalculatorKey; name: string; look: KeyLook; wide?: true }

/** The keys in reading order, four to a row; `name` is what a screen reader says. */
export const keypad: KeypadKey[] = [
  { key: 'C', name: 'clear', look: 'function' },
  { key: '±', name: 'plus or minus', look: 'function' },
  { key: '%', name: 'percent', look: 'function' },
  { key: '÷', name: 'divided by', look: 'operator' },
  { key: '7', name: 'seven', look: 'digit' },
  { key: '8', name: 'eight', look: 'digit' },
  { key: '9', name: 'nine', look: 'digit' },
  { key: '×', name: 'times', look: 'operator' },
  { key: '4', name: 'four', look: 'digit' },
  { key: '5', name: 'five', look: 'digit' },
  { key: '6', name: 'six', look: 'digit' },
  { key: '−', name: 'minus', look: 'operator' },
  { key: '1', name: 'one', look: 'digit' },
  { key: '2', name: 'two', look: 'digit' },
  { key: '3', name: 'three', look: 'digit' },
  { key: '+', name: 'plus', look: 'operator' },
  { key: '0', name: 'zero', look: 'digit', wide: true },
  { key: '.', name: 'decimal point', look: 'digit' },
  { key: '=', name: 'equals', look: 'equals' },
]
