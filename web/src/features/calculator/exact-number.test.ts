import { calculate, readNumber, toDecimals } from './exact-number.ts'

it.each([
  ['1,234.5', '1234.5'],
  ['1.234.567,8', '1234567.8'],
  ['1.234,5', '1234.5'],
  ['1,234', '1234'],
  ['0,5', '0.5'],
  [' −12 345.678\n', '-12345.678'],
  ["1'000", '1000'],
  ['+7', '7'],
  ['-$9.50', '-9.5'],
  ['.5', '0.5'],
  ['2.5e3', '2500'],
])('readNumber reads "%s" as %s', (text, number) => {
  expect(readNumber(text)).toBe(number)
})

it.each(['', 'abc', '1+2', '1,23,4', '1.2.3', '12 apples', '--1', ',', '1e1200', '9e999999', '1234,567,8'])(
  'readNumber refuses "%s"',
  (text) => {
    expect(readNumber(text)).toBeNull()
  },
)

it('a division keeps forty digits, however small or large the result is', () => {
  expect(calculate('1', '÷', '3e30')).toBe(`${'3.'.padEnd(41, '3')}e-31`)
  expect(calculate('2e30', '÷', '3')).toBe(`${'6.'.padEnd(40, '6')}7e+29`)
})

it('a result beyond every display is refused, and one too small to show is zero', () => {
  expect(calculate('1e999', '×', '9')).toBe('9e+999')
  expect(calculate('1e999', '×', '10')).toBeNull()
  expect(calculate('1e-999', '÷', '10')).toBe('0')
  expect(calculate('0', '÷', '0')).toBeNull()
})

it('a small negative number rounded to decimals is zero, not minus zero', () => {
  expect(toDecimals('-0.001', 2)).toBe('0.00')
  expect(toDecimals('-0.01', 2)).toBe('-0.01')
})
