import { stateOfDisputes } from './stripe-disputes.ts'

const dispute = (status: string, ...amounts: number[]) => ({
  status,
  balance_transactions: amounts.map((amount) => ({ amount })),
})
const inquiry = dispute('warning_needs_response')
const open = dispute('needs_response', -5999)
const won = dispute('won', -5999, 4499)
const lost = dispute('lost', -5999)

it.each([
  ['no dispute', [], null],
  ['an inquiry', [inquiry], null],
  ['an open dispute', [open], 'withdrawn'],
  ['an open dispute without the money', [dispute('needs_response')], null],
  ['an open dispute after a won one', [won, open], 'withdrawn'],
  ['a won dispute after an open one', [open, won], 'withdrawn'],
  ['a won dispute and an inquiry', [inquiry, won], 'dispute-won'],
  ['two won disputes', [won, won], 'dispute-won'],
  ['a lost dispute beside a won and an open one', [won, open, lost], 'dispute-lost'],
  ['a prevented dispute that cost nothing', [dispute('prevented')], null],
  ['a prevented dispute that took the money', [dispute('prevented', -4499)], 'dispute-lost'],
])('the disputes of a charge stand together: %s', (_, disputes, state) => {
  expect(stateOfDisputes(disputes)).toBe(state)
})
