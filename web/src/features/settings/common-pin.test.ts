import { isCommonPin } from './common-pin.ts'

it.each(['1234', '0000', '1111', '4321', '7890', '123456', '1212', '123123', '1984', '2580', '000000000000'])(
  '%s is a common number',
  (pin) => expect(isCommonPin(pin)).toBe(true),
)

it.each(['', '123', '1815', '0070', '4711', '2718', '90210'])('%p is not a common number', (pin) =>
  expect(isCommonPin(pin)).toBe(false),
)
