import type { Message } from '@sumlock/contracts/messaging-routes'
import { messageAt } from '../../../../test/fake-messaging.tsx'
import { createFinder, newerThan, olderThan, placeOf, toNeedle } from './found-messages.ts'

const sealed = { v: 1, from: 1, to: 1 } as const
const opened = (seq: number, body: object, change: Partial<Message> = {}): Message => {
  const look = { state: 'open', body: { at: 0, ...body } }
  return { ...messageAt(seq, { content: 'no letter of it', sealed, ...change }), look } as Message
}
const seqs = (messages: readonly Message[], query: string) =>
  createFinder()(messages, toNeedle(query)).map(({ name }) => name.seq)

it('plain and sealed texts and captions are found, oldest first', () => {
  const messages = [
    messageAt(1, { content: 'Café' }),
    opened(2, { t: 'a cafe' }),
    opened(3, { t: 'CAFÉ!', media: {} }, { messageType: 'image', mediaUrl: '/api/objects/x' }),
    messageAt(4, { content: 'tea' }),
  ]
  expect(seqs(messages, ' cafe ')).toEqual([1, 2, 3])
})

it('an unsent, vanished, closed, former or once-viewed message and a quoted text are not found', () => {
  const closed = { ...messageAt(3, { content: 'cafe', sealed }), look: { state: 'closed', why: 'no-key' } }
  const newKey = { v: 1, from: 2, to: 1 } as const
  const messages = [
    messageAt(1, { content: '', isUnsent: true }),
    messageAt(2, { content: '', isVanished: true }),
    closed as Message,
    { ...opened(4, { t: 'cafe', media: {} }), isOnce: true } as Message,
    opened(5, { t: 'yes', re: { by: 'cafe', id: 'cafe', seq: 1 } }),
    opened(6, { t: 'newer key' }, { sealed: newKey }),
    opened(7, { t: 'cafe' }),
  ]
  expect(seqs(messages, 'cafe')).toEqual([])
  expect(seqs(messages, 'newer key')).toEqual([6])
})

it('an edited text is found as it is shown, its former text is not', () => {
  const find = createFinder()
  const before = messageAt(1, { content: 'tae' })
  const after = { ...before, content: 'tea', edit: { id: 'e', at: '' }, version: 1 }
  expect(find([before], 'tae')).toHaveLength(1)
  expect(find([after], 'tae')).toEqual([])
  expect(find([after], 'tea')).toHaveLength(1)
})

it('a space or nothing finds nothing', () => {
  expect(seqs([messageAt(1, { content: 'a b' })], ' ')).toEqual([])
})

const found = (...at: number[]) =>
  createFinder()(
    at.map((seq) => messageAt(seq)),
    'no.',
  )
const at = (seq: number) => found(seq)[0] ?? null

it('the newest match is the first, and older pages do not move a place', () => {
  expect(placeOf(found(3, 5, 9), at(9))).toBe(1)
  expect(placeOf(found(3, 5, 9), at(3))).toBe(3)
  expect(placeOf(found(1, 2, 3, 5, 9), at(3))).toBe(3)
})

it('after a match is gone, its neighbours are next', () => {
  const left = found(3, 9)
  expect(placeOf(left, at(5))).toBe(0)
  expect(olderThan(left, at(5))?.name.seq).toBe(3)
  expect(newerThan(left, at(5))?.name.seq).toBe(9)
})

it('without a place, the newest match is next, and none is newer', () => {
  expect(olderThan(found(3, 9), null)?.name.seq).toBe(9)
  expect(newerThan(found(3, 9), null)).toBeUndefined()
  expect(olderThan(found(3, 9), at(3))).toBeUndefined()
  expect(newerThan(found(3, 9), at(9))).toBeUndefined()
})

it('thousands of messages are searched again in a moment', () => {
  const find = createFinder()
  const messages = Array.from({ length: 10_000 }, (_, index) =>
    messageAt(index, { content: `Überlänge ${'wörter '.repeat(20)}${index}` }),
  )
  find(messages, 'uber')
  const from = performance.now()
  expect(find(messages, 'worter 9999')).toHaveLength(1)
  expect(performance.now() - from).toBeLessThan(1000)
})
