import { canExist } from './phone-number.ts'

it.each([
  '+15550001234',
  '+442079460018',
  '+33612345678',
  '+5491112345678',
  '+393331234567',
  '+390612345678',
])('a code can be sent to %s', (phone) => {
  expect(canExist(phone)).toBe(true)
})

it.each([
  '+4402079460018',
  '+330612345678',
  '+3933312',
  '+44123',
  '+99912345678',
  '+1555000123',
  '+155500012345',
])('no code is sent to %s', (phone) => {
  expect(canExist(phone)).toBe(false)
})
