import { formatNumbers } from './format.ts'

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
])('writes %s as %s', (raw, written) => {
  expect(formatNumbers(raw)).toBe(written)
})
