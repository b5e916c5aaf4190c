import { canExist, isIn } from './phone-number.ts'

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

it.each([
  ['+4915112345678', true],
  ['+14165550123', true],
  ['+12125550123', false],
  ['+18765550123', false],
  ['+8821612345', false],
])('whether %s is in Germany or Canada: %s', (phone, expected) => {
  expect(isIn(['DE', 'CA'], phone)).toBe(expected)
})
