import { formatPhone } from './phone-number.ts'

it.each([
  ['+15550001234', '+1 555 000 1234'],
  ['00442079460018', '+44 20 7946 0018'],
  ['(+44) 20 7946 0018', '+44 20 7946 0018'],
  ['(0044) 20 7946 0018', '+44 20 7946 0018'],
  ['+44 (0)20 7946 0018', '+44 020 7946 0018'],
])('groups the digits of %s', (text, formatted) => {
  expect(formatPhone(text)).toBe(formatted)
})

it.each(['+1 650 253 0000 ext. 5', '+1 800 FLOWERS', 'Tel +44 20 7946 0018', '('])(
  'leaves %s as it was typed, because formatting would drop a part of it',
  (text) => {
    expect(formatPhone(text)).toBe(text)
  },
)
