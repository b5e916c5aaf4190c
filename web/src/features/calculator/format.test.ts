import { formatNumbers, withDecimals } from './format.ts'

it.each([
  ['0', '0'],
  ['999', '999'],
  ['1234567', '1,234,567'],
  ['-1234.56789', '−1,234.56789'],
  ['12.', '12.'],
  ['1.5e+23', '1.5e23'],
  ['-1.5e-9', '−1.5e−9'],
  ['(1000 + 2.0001) × (−30000) =', '(1,000 + 2.0001) × (−30,000) ='],
  ['Error', 'Error'],
])('formatNumbers writes %s as %s', (raw, written) => {
  expect(formatNumbers(raw)).toBe(written)
})

it.each([
  ['0.5', 2, '0.50'],
  ['1.005', 2, '1.01'],
  ['-2.5', 0, '-3'],
  ['12', null, '12'],
  ['1e+20', 2, '1e+20'],
  ['Error', 2, 'Error'],
])('withDecimals shows %s with %s decimals as %s', (result, decimals, shown) => {
  expect(withDecimals(result, decimals)).toBe(shown)
})
