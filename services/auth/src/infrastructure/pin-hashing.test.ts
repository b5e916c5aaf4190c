import { createPinHashing } from './pin-hashing.ts'

const pins = createPinHashing(Buffer.alloc(32, 1))

it('a stored PIN matches the same digits of the same user under the same pepper, and nothing else', () => {
  const stored = pins.mac('ada', '0042')
  expect(pins.matches('ada', '0042', stored)).toBe(true)
  expect(pins.matches('ada', '42', stored)).toBe(false)
  expect(pins.matches('ben', '0042', stored)).toBe(false)
  expect(createPinHashing(Buffer.alloc(32, 2)).matches('ada', '0042', stored)).toBe(false)
})
