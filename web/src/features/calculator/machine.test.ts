import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { type CalculatorAction, type CalculatorState, initialCalculator } from './calculator-state.ts'
import { isDigitsOnly, previewOf, reduceCalculator } from './machine.ts'

const keys: Record<string, CalculatorAction> = {
  '-': '−',
  '*': '×',
  '/': '÷',
  n: '±',
  '<': 'backspace',
  d: 'clearEntry',
}

/** Types a line of text: ASCII operators, n for ±, < for backspace, d for Delete. */
function type(text: string, from: CalculatorState = initialCalculator): CalculatorState {
  return [...text.replaceAll(' ', '')].reduce(
    (state, key) => reduceCalculator(state, keys[key] ?? (key as CalculatorAction)),
    from,
  )
}

const shown = (text: string) => type(text).display

describe('entering a number', () => {
  it('extends the number digit by digit and drops leading zeros from the display', () => {
    expect(shown('0075')).toBe('75')
    expect(shown('000')).toBe('0')
    expect(shown('.5')).toBe('0.5')
    expect(shown('1.2.3')).toBe('1.23')
  })

  it('takes no more than twelve digits', () => {
    expect(shown('1234567890123')).toBe('123456789012')
    expect(type('1234567890123').keystrokes).toBe('123456789012')
  })

  it('erases the last character, but not a result', () => {
    expect(shown('12.5<')).toBe('12.')
    expect(shown('7<')).toBe('0')
    expect(shown('7n<')).toBe('0')
    expect(shown('1+25=<')).toBe('26')
  })

  it('erases the whole number on Delete, and keeps the calculation before it', () => {
    expect(shown('12.5d')).toBe('0')
    expect(shown('8*25d3=')).toBe('24')
    expect(type('8*25d').expression).toBe('8 ×')
    expect(shown('8*d2=')).toBe('16')
    expect(shown('200+10%d7=')).toBe('207')
    expect(shown('1+2=d')).toBe('0')
    expect(shown('5/0=d')).toBe('0')
    expect(isDigitsOnly(type('9.1d1815'))).toBe(true)
    expect(type('12d1815').keystrokes).toBe('1815')
  })

  it('clears the entry on C and keeps the tape; clearHistory clears the tape and keeps the entry', () => {
    const state = type('1+2=9+4C')
    expect(state).toEqual({ ...initialCalculator, history: [{ expression: '1 + 2', result: '3' }] })
    expect(reduceCalculator(type('1+2=9+4'), 'clearHistory')).toEqual({ ...type('1+2=9+4'), history: [] })
  })
})

describe('calculating', () => {
  it('CALC-01: shows the expression and the result', () => {
    expect(type('12+')).toMatchObject({ expression: '12 +', display: '12', pendingOperator: '+' })
    expect(type('12+3=')).toMatchObject({ expression: '12 + 3 =', display: '15', pendingOperator: null })
  })

  it('CALC-02 ENT-37: = adds to the history, a number alone does not', () => {
    expect(type('12+3=4*5=').history).toEqual([
      { expression: '12 + 3', result: '15' },
      { expression: '4 × 5', result: '20' },
    ])
    expect(type('1234=').history).toEqual([])
  })

  it('STATE-07: an operator stores the number on the display, and the next digits are another number', () => {
    expect(shown('12-5')).toBe('5')
    expect(shown('12-5=')).toBe('7')
  })

  it('STATE-08: evaluates chained operators one by one and writes them with brackets', () => {
    expect(type('2+3*')).toMatchObject({ display: '5', expression: '(2 + 3) ×' })
    expect(type('2+3*4=').history).toEqual([{ expression: '(2 + 3) × 4', result: '20' }])
    expect(type('2*3+4=').history).toEqual([{ expression: '2 × 3 + 4', result: '10' }])
    expect(type('5-3/').expression).toBe('(5 − 3) ÷')
    expect(type('2*3/').expression).toBe('2 × 3 ÷')
  })

  it('replaces an operator pressed by mistake', () => {
    expect(type('5+*')).toMatchObject({ expression: '5 ×', pendingOperator: '×' })
    expect(shown('2+3*-4=')).toBe('1')
    expect(type('2+3*-').expression).toBe('2 + 3 −')
  })

  it('STATE-10: starts a new number after a result, or continues with it', () => {
    expect(type('1+2=7')).toMatchObject({ display: '7', expression: '' })
    expect(shown('1+2=*4=')).toBe('12')
    expect(type('1+2=*').expression).toBe('3 ×')
    expect(type('7=*').expression).toBe('7 ×')
    expect(shown('1+2=.5')).toBe('0.5')
    expect(shown('5+=')).toBe('10')
  })

  it('calculates decimals exactly', () => {
    expect(shown('0.1+0.2=')).toBe('0.3')
    expect(shown('1/3*3=')).toBe('1')
    expect(shown('1/3=*3=')).toBe('1')
  })

  it('rounds to twelve significant digits and switches to an exponent', () => {
    expect(shown('2/3=')).toBe('0.666666666667')
    expect(shown('999999999999*999999999999=')).toBe('9.99999999998e+23')
    expect(shown('1/999999999=')).toBe('1.000000001e-9')
  })

  it('shows Error on a division by zero, records nothing, and any digit starts a new entry', () => {
    expect(type('8/0=')).toMatchObject({ display: 'Error', error: 'division by zero', history: [] })
    expect(shown('8/0+')).toBe('Error')
    expect(shown('8/0=+%n=')).toBe('Error')
    expect(type('8/0=4')).toMatchObject({ display: '4', error: null, keystrokes: '4' })
    expect(shown('8/0=.4')).toBe('0.4')
  })

  it('shows Error when a number is too large for any display', () => {
    expect(shown(`999999999999${'*='.repeat(7)}`)).toBe('Error')
  })
})

describe('± and %', () => {
  it('CALC-04: ± changes the sign', () => {
    expect(shown('5n')).toBe('-5')
    expect(shown('5nn')).toBe('5')
    expect(shown('5n7')).toBe('-57')
    expect(shown('0n')).toBe('0')
    expect(type('5-3n=').history).toEqual([{ expression: '5 − (−3)', result: '8' }])
    expect(shown('1/3=n*3=')).toBe('-1')
    expect(type('5n+3=').history).toEqual([{ expression: '−5 + 3', result: '-2' }])
    expect(type('5+n*')).toMatchObject({ expression: '(5 + (−5)) ×', display: '0' })
  })

  it('CALC-05: % is a hundredth, and after + or − a part of the number before it', () => {
    expect(shown('50%')).toBe('0.5')
    expect(shown('200+10%=')).toBe('220')
    expect(shown('200-10%=')).toBe('180')
    expect(shown('200*10%=')).toBe('20')
    expect(shown('50%7')).toBe('7')
    expect(type('50%+').expression).toBe('0.5 +')
    expect(shown('200+10%7=')).toBe('207')
  })
})

describe('= pressed again', () => {
  it('repeats the last operator and number, and adds each result to the tape', () => {
    expect(shown('2+3===')).toBe('11')
    expect(type('2+3===').history).toEqual([
      { expression: '2 + 3', result: '5' },
      { expression: '5 + 3', result: '8' },
      { expression: '8 + 3', result: '11' },
    ])
    expect(type('2+3==').expression).toBe('5 + 3 =')
    expect(shown('2+3*4==')).toBe('80')
    expect(shown('5-===')).toBe('-10')
    expect(shown('10-2n==')).toBe('14')
  })

  it('repeats with full precision: a third of a third of a third, times 27, is one', () => {
    expect(shown('1/3=*3=')).toBe('1')
    expect(shown('1/3===*27=')).toBe('1')
    expect(shown('2-0.1====')).toBe('1.6')
  })

  it('repeats nothing after a new number, another operator or C', () => {
    expect(shown('2+3=7=')).toBe('7')
    expect(shown('2+3=*4=')).toBe('20')
    expect(shown('2+3=C=')).toBe('0')
    expect(shown('1234==')).toBe('1234')
    expect(type('1234==').history).toEqual([])
  })
})

describe('previewOf', () => {
  it('is the result that = would show, once the second number has been started', () => {
    expect(previewOf(type('12'))).toBeNull()
    expect(previewOf(type('12+'))).toBeNull()
    expect(previewOf(type('12+3'))).toBe('15')
    expect(previewOf(type('200+10%'))).toBe('220')
    expect(previewOf(type('2+3*4'))).toBe('20')
    expect(previewOf(type('12+3='))).toBeNull()
  })

  it('shows nothing while the second number is zero and divides', () => {
    expect(previewOf(type('8/0'))).toBeNull()
    expect(previewOf(type('8/0.5'))).toBe('16')
  })
})

describe('an inserted number', () => {
  const insert = (number: string, from?: CalculatorState) =>
    reduceCalculator(from ?? type(''), { insert: number })

  it('replaces the number on the display, or is the second number of a calculation', () => {
    expect(insert('220', type('5'))).toMatchObject({ display: '220', expression: '' })
    expect(type('=', insert('220', type('5+'))).history).toEqual([{ expression: '5 + 220', result: '225' }])
    expect(type('=', insert('220', type('5+7')))).toMatchObject({ display: '225' })
    expect(insert('3', type('8/0='))).toMatchObject({ display: '3', error: null })
    expect(type('*2=', insert('220', type('1+2=')))).toMatchObject({ display: '440' })
    expect(type('*2=', insert('3', type('5+')))).toMatchObject({ display: '16' })
  })

  it('is never taken for typed digits', () => {
    expect(isDigitsOnly(insert('1815'))).toBe(false)
    expect(isDigitsOnly(insert('1815', type('18')))).toBe(false)
    expect(isDigitsOnly(type('1815', insert('220')))).toBe(true)
  })

  it('keeps more digits than the display shows', () => {
    expect(insert('1.00000000000000000001')).toMatchObject({ display: '1' })
    expect(type('-1=', insert('1.00000000000000000001')).display).toBe('1e-20')
  })
})

it('a division by zero keeps the calculation on the display, and so does a number that is too large', () => {
  expect(type('8/0=')).toMatchObject({ expression: '8 ÷ 0 =', display: 'Error', error: 'division by zero' })
  expect(type('2+6/0+').expression).toBe('(2 + 6) ÷ 0 =')
  const large = type(`999999999999${'*='.repeat(7)}`)
  expect(large).toMatchObject({ display: 'Error', error: 'too large' })
  expect(large.expression).toMatch(/^\S+e\+767 × \S+e\+767 =$/)
  expect(type('8/0=C')).toMatchObject({ expression: '', display: '0' })
})

it('a thirteenth digit changes nothing but the count of refusals, which C resets', () => {
  const full = type('123456789012')
  expect(type('3', full)).toEqual({ ...full, refusals: 1 })
  expect(type('34', full).refusals).toBe(2)
  expect(type('3C', full).refusals).toBe(0)
})

describe('the mark of a tape entry that may be the number which unlocks the device', () => {
  const transient = (line: string) => type(line).history.map(({ isTransient }) => isTransient === true)

  it.each(['0+1815=', '7+1815=', '7+0070=', '5*2+1815=', '7+123456789012='])('is set for "%s"', (line) => {
    expect(transient(line)).toEqual([true])
  })

  it('is set for every repetition of the calculation', () => {
    expect(transient('7+1815===')).toEqual([true, true, true])
    expect(transient('7+1815==1+2==')).toEqual([true, true, false, false])
  })

  it('is set when earlier digits were erased', () => {
    expect(transient('7+5<<1815=')).toEqual([true])
    expect(transient('7+1815<=')).toEqual([false])
  })

  it.each(['7+181=', '1815+7=', '7*1815=', '7-1815=', '7+18.15=', '7+1815%=', '7+1815n=', '1815+='])(
    'is not set for "%s"',
    (line) => {
      expect(transient(line)).toEqual([false])
    },
  )
})

describe('isDigitsOnly', () => {
  it('CALC-16: is true for digits alone, including leading zeros', () => {
    expect(type('0042')).toMatchObject({ keystrokes: '0042', display: '42' })
    expect(isDigitsOnly(type('0042'))).toBe(true)
    expect(isDigitsOnly(type('0000'))).toBe(true)
    expect(isDigitsOnly(type('12<3'))).toBe(true)
    expect(type('12<3').keystrokes).toBe('13')
  })

  it.each(['', '12.', '1.2', '12n', '12nn', '12%', '1+', '1+1234', '1+2=', '8/0='])(
    'is false after "%s"',
    (text) => {
      expect(isDigitsOnly(type(text))).toBe(false)
    },
  )

  it.each(['9+1=1234', '777=1234', '8/0=1234', '3.7C1234', '12.<<<1234', '5%1234'])(
    'is true again for a new entry: "%s"',
    (text) => {
      expect(isDigitsOnly(type(text))).toBe(true)
      expect(type(text).keystrokes).toBe('1234')
    },
  )

  it('is true again once all input was erased', () => {
    expect(isDigitsOnly(type('1n<<1234'))).toBe(true)
    expect(isDigitsOnly(type('12n<1234'))).toBe(false)
    expect(isDigitsOnly(type('.5<1234'))).toBe(false)
    expect(isDigitsOnly(type('05n<1234'))).toBe(false)
    expect(isDigitsOnly(type('1n+5<1234'))).toBe(false)
  })

  it('keeps exactly the digits typed', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{1,12}$/), (pin) => {
        expect(isDigitsOnly(type(pin))).toBe(true)
        expect(type(pin).keystrokes).toBe(pin)
        expect(shown(pin)).toBe(String(BigInt(pin)))
      }),
    )
  })
})

describe('the calculator compared with decimal.js', () => {
  // The reference works with more digits than the machine, so that only the machine rounds.
  const Reference = Decimal.clone({ precision: 60 })
  const number = fc.tuple(fc.nat(999_999), fc.nat(4)).map(([n, places]) => new Reference(n).div(10 ** places))
  const operator = fc.constantFrom('+', '-', '*', '/')
  const text = (value: Decimal) => value.toFixed()

  function apply(left: Decimal, sign: string, right: Decimal): Decimal {
    if (sign === '+') return left.plus(right)
    if (sign === '-') return left.minus(right)
    return sign === '*' ? left.times(right) : left.div(right)
  }

  it('agrees on every chain of operators', () => {
    fc.assert(
      fc.property(
        number,
        fc.array(fc.tuple(operator, number), { minLength: 1, maxLength: 6 }),
        (first, rest) => {
          const steps = rest.reduce(
            (values, [sign, value]) => [...values, apply(values.at(-1) ?? first, sign, value)],
            [first],
          )
          fc.pre(steps.slice(0, -1).every((value) => value.isFinite()))
          const expected = steps.at(-1) ?? first
          const line = text(first) + rest.map(([sign, value]) => sign + text(value)).join('') + '='
          if (!expected.isFinite()) {
            expect(shown(line)).toBe('Error')
            return
          }
          const difference = expected.minus(shown(line)).abs()
          expect(difference.lte(expected.abs().times('1e-11').plus('1e-25'))).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('shows a number or Error after any sequence of keys', () => {
    const key = fc.constantFrom(...'0123456789.+-*/=Cn%<')
    fc.assert(
      fc.property(fc.string({ unit: key, maxLength: 40 }), (line) => {
        expect(shown(line)).toMatch(/^(Error|-?\d+(\.\d*)?(e[+-]\d+)?)$/)
      }),
      { numRuns: 1000 },
    )
  })
})
