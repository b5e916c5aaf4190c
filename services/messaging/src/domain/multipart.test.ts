import { countedBytes, withoutCall } from './multipart.ts'
import type { Multipart, RunningCall } from './multipart.ts'

const startedAt = new Date(0)
const call = (id: string, bytes: number, number = 1): RunningCall => ({ id, number, bytes, startedAt })
const [small, large] = [call('small', 10), call('large', 30)]
const multipart = (running: RunningCall[], parts: Record<string, number> = {}): Multipart => ({
  ...{ uploadId: 'u', storeKey: 'k', parts, running },
})

it('a part and the one that replaces it count as the larger of both', () => {
  expect(countedBytes(multipart([small, call('other', 5, 2)], { 1: 20 }))).toBe(25)
  expect(countedBytes(withoutCall(multipart([small], { 1: 20 }), small, true))).toBe(10)
})

it('a part that broke counts nothing, one with an unknown end counts on', () => {
  const both = multipart([small, call('other', 5, 2)])
  expect(countedBytes(withoutCall(both, small, false))).toBe(5)
  expect(withoutCall(both, small, null)).toEqual(both)
})

it('a part that is stored ends the earlier calls for it, whose process may have been killed', () => {
  expect(withoutCall(multipart([small, call('other', 5, 2), large]), large, true)).toMatchObject({
    parts: { 1: 30 },
    running: [{ id: 'other' }],
  })
})

it.each([
  ['the larger, then the smaller', large, small],
  ['the smaller, then the larger', small, large],
])('of two calls for a part that run at once, the larger counts when they end: %s', (_, first, second) => {
  for (const begun of [
    [first, second],
    [second, first],
  ]) {
    const ended = withoutCall(withoutCall(multipart(begun), first, true), second, true)
    expect(ended).toMatchObject({ parts: { 1: 30 }, running: [] })
  }
})
