import { changesFrom } from './changes-since.ts'

const now = new Date('2026-11-25T12:00:00.000Z')
const ago = (ms: number) => new Date(now.getTime() - ms).toISOString()

it.each([
  ['just now', 0],
  ['10 minutes ago', 600_000],
  ['10 s ahead, by the clock of another replica', -10_000],
])('changes count from 10 s before a call that was answered %s', (_when, agoMs) => {
  expect(changesFrom(ago(agoMs), now)).toEqual(new Date(now.getTime() - agoMs - 10_000))
})

it.each([
  ['in a first call', undefined],
  ['after more than 10 minutes', ago(600_001)],
  ['for a time in the future', ago(-10_001)],
])('the whole list is answered %s', (_when, since) => {
  expect(changesFrom(since, now)).toBeNull()
})

it('the whole list is answered once on a new UTC day', () => {
  const midnight = new Date('2026-11-26T00:00:00.000Z')
  expect(changesFrom('2026-11-25T23:59:59.999Z', midnight)).toBeNull()
  expect(changesFrom('2026-11-26T00:00:00.000Z', midnight)).toEqual(new Date('2026-11-25T23:59:50.000Z'))
})
