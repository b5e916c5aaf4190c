import fc from 'fast-check'
import { initialCalculator } from './calculator-state.ts'
import type { CalculatorAction } from './calculator-state.ts'
import { emptyEntry, reduceEarlyEntry } from './early-entry.ts'
import { reduceCalculator } from './machine.ts'
import { digitsAfterPlus, reduceCalculation } from './plus-entry.ts'
import type { Calculation } from './plus-entry.ts'

const keys: CalculatorAction[] = [...'0123456789+−×÷.=C±%'].map((key) => key as CalculatorAction)
const actions: CalculatorAction[] = [...keys, 'backspace', 'clearEntry', 'clearHistory', { insert: '2718' }]
/** Sums that begin with a plus are frequent here, because random keys would hardly ever produce one. */
const someActions = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.array(fc.constantFrom(...actions), { maxLength: 6 }) },
      {
        weight: 2,
        arbitrary: fc
          .stringMatching(/^[0-9]{1,13}$/)
          .map((digits) => ['C', '+', ...digits, '='] as CalculatorAction[]),
      },
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.flat())

const start: Calculation = { state: initialCalculator, plus: null }
const typed = (text: string) => [...text] as CalculatorAction[]
const discreetly = (pressed: readonly CalculatorAction[]) =>
  pressed.reduce<Calculation>(
    (before, action) => reduceCalculation(before, { action, isDiscreet: true }),
    start,
  )

it('the calculator of discreet mode shows after every key what a stranger’s shows, except for lines of the tape', () => {
  fc.assert(
    fc.property(someActions, (pressed) => {
      let discreet = start
      let early = emptyEntry(initialCalculator)
      let plain = initialCalculator
      for (const action of pressed) {
        discreet = reduceCalculation(discreet, { action, isDiscreet: true })
        early = reduceEarlyEntry(early, action, 'discreet')
        plain = reduceCalculator(plain, action)
        const { history, ...shown } = discreet.state
        const { history: lines, ...expected } = plain
        expect(shown).toEqual(expected)
        expect({ state: early.state, plus: early.plus, hidden: early.hidden }).toEqual({
          ...discreet,
          hidden: null,
        })
        const missing = lines.filter((line) => !history.some((kept) => kept.expression === line.expression))
        // A line may be missing only where the person pressed a plus and digits, or equals once more, whose sum may have
        // more digits than a number shows.
        for (const { expression } of missing) expect(expression).toMatch(/^\d[\d.]*(?:e\+\d+)? \+ \d+$/)
      }
    }),
    { numRuns: 500 },
  )
})

it('no line is left when equals is repeated until the sum is too long for the display', () => {
  const { state } = discreetly([...typed('+500000000000'), '=', '=', '='])
  expect(state.history).toEqual([])
  expect(state.expression).toMatch(/e\+12/)
})

it('any other device keeps every line', () => {
  fc.assert(
    fc.property(someActions, (pressed) => {
      const plain = pressed.reduce(reduceCalculator, initialCalculator)
      const other = pressed.reduce<Calculation>(
        (before, action) => reduceCalculation(before, { action, isDiscreet: false }),
        start,
      )
      expect(other).toEqual({ state: plain, plus: null })
    }),
  )
})

describe('equals after a plus at 0', () => {
  it.each(['2468', '0012', '123456789012', '2467⌫8'])('tries %s, and leaves no line', (digits) => {
    const pressed = [...digits].map((key) => (key === '⌫' ? 'backspace' : key) as CalculatorAction)
    const before = discreetly(['+', ...pressed])
    expect(digitsAfterPlus(before)).toBe(digits.replace(/.⌫/, ''))
    const { state } = reduceCalculation(before, { action: '=', isDiscreet: true })
    expect(state.history).toEqual([])
    expect(state.expression).toMatch(/^0 \+ \d+ =$/)
  })

  it.each([
    '+246',
    '5+2468',
    '+2468.5',
    '+24.68',
    '+2468±',
    '+2468%',
    '+24+68',
    '++2468',
    '+2468=2468',
    '2468',
  ])('tries nothing after %s', (text) => expect(digitsAfterPlus(discreetly(typed(text)))).toBe(''))

  it.each(['+246', '5+2468', '+24+68', '+2468.5'])('leaves a line after %s', (text) =>
    expect(discreetly([...typed(text), '=']).state.history).toHaveLength(1),
  )

  it('leaves no line when it is pressed again, but one for the next calculation', () => {
    expect(discreetly(typed('+2468===')).state).toMatchObject({ display: '7404', history: [] })
    expect(discreetly(typed('+2468=C3+4=')).state.history).toHaveLength(1)
  })

  it('is tried by the app when it was pressed on the first page', () => {
    const early = [...typed('+2468=7')].reduce(
      (before, action) => reduceEarlyEntry(before, action, 'discreet'),
      emptyEntry(initialCalculator),
    )
    expect(early.tried).toEqual({ digits: '2468', isAfterPlus: true })
    expect(early.state).toMatchObject({ display: '7', history: [] })
  })
})
