import type { Message } from '@sumlock/contracts/messaging-routes'
import { messageAt } from '../../../test/fake-messaging.tsx'
import type { Look } from '../sealed/look.ts'
import { checkReceived } from './receiving-rules.ts'

type Opened = Message & { look?: Look }

interface Told {
  sender?: string
  from?: number
  after?: string
  writtenMinutesBefore?: number
  id?: string
  isDeleted?: boolean
  isEdited?: boolean
}

/** Stored messages with the facts in their bodies. */
function conversation(...told: Told[]) {
  const messages = told.map(
    (
      { sender = 'ben', from = 1, after, writtenMinutesBefore = 0, id, isDeleted, isEdited },
      index,
    ): Opened => {
      const seq = index + 1
      const sealed = isDeleted ? {} : { sealed: { v: 1 as const, from, to: 1 } }
      const message: Opened = messageAt(seq, {
        senderId: sender,
        clientMessageId: id ?? `k${seq}`,
        ...sealed,
        ...(isEdited ? { edit: { id: 'e', at: '2026-11-23T00:00:00.000Z' } } : {}),
      })
      const at = Date.parse(message.createdAt) - writtenMinutesBefore * 60_000
      const body = after === undefined ? { t: 'x', at } : { t: 'x', at, after: { by: 'ben', id: after } }
      return isDeleted ? message : { ...message, look: { state: 'open', body } }
    },
  )
  return { messages, isWhole: true }
}
const seqsWhere = (
  input: ReturnType<typeof conversation>,
  condition: (checked: ReturnType<typeof checkReceived>[number]) => boolean,
) => checkReceived(input).flatMap((one) => (condition(one) ? [one.message.seq] : []))

it('an edit that is sealed with a newer key makes the messages after it no former ones', () => {
  const input = conversation({}, { from: 2, isEdited: true }, {})
  expect(seqsWhere(input, ({ isFormer }) => isFormer)).toEqual([])
  const sent = conversation({}, { from: 2 }, {})
  expect(seqsWhere(sent, ({ isFormer }) => isFormer)).toEqual([3])
})

it('the time of an edit is not taken for that of its message', () => {
  const written = (isEdited: boolean) =>
    seqsWhere(
      conversation({}, { writtenMinutesBefore: 60, isEdited }, {}),
      ({ writtenAtMs }) => writtenAtMs !== null,
    )
  expect(written(false)).toEqual([2])
  expect(written(true)).toEqual([])
})

it('a message that is repeated later is shown once, where it was first', () => {
  const input = conversation({ id: 'a' }, { id: 'b' }, { id: 'a' }, { sender: 'ann', id: 'a' })
  expect(seqsWhere(input, () => true)).toEqual([1, 2, 4])
})

it('the key of a person never becomes older: such a message may not be theirs', () => {
  const input = conversation({ from: 1 }, { from: 2 }, { from: 1 }, { sender: 'ann', from: 1 }, { from: 2 })
  expect(seqsWhere(input, ({ isFormer }) => isFormer)).toEqual([3])
})

it('a message that its sender had seen and that is not here may be missing', () => {
  const input = conversation({}, { after: 'k1' }, { after: 'lost' }, { after: 'k3' })
  expect(seqsWhere(input, ({ isAfterGap }) => isAfterGap)).toEqual([3])
})

it('a deleted message is not missing', () => {
  expect(
    seqsWhere(conversation({ isDeleted: true }, { after: 'k1' }), ({ isAfterGap }) => isAfterGap),
  ).toEqual([])
})

it('nothing is reported as missing from an incomplete list: older pages, gaps, cleared or withheld messages', () => {
  const input = conversation({}, { after: 'lost' }, { after: 'lost' })
  const gaps = (change: Partial<typeof input>) =>
    seqsWhere({ ...input, ...change }, ({ isAfterGap }) => isAfterGap)
  expect(gaps({})).toEqual([2, 3])
  expect(gaps({ isWhole: false })).toEqual([])
  expect(gaps({ messages: input.messages.slice(1) })).toEqual([])
  expect(gaps({ messages: input.messages.toSpliced(1, 1) })).toEqual([])
})

it('a message shows its time of writing only if it was stored more than ten minutes later', () => {
  const input = conversation(
    {},
    { writtenMinutesBefore: 10 },
    { writtenMinutesBefore: 11 },
    { writtenMinutesBefore: -60 },
  )
  expect(seqsWhere(input, ({ writtenAtMs }) => writtenAtMs !== null)).toEqual([3])
})

it('a reaction that was sealed with a former key, after a message with a newer one, is not shown', () => {
  const reactionOf = (by: string, from: number) => ({
    ...{ by, id: `of ${by}`, content: 'x', sealed: { v: 1 as const, from, to: 1 } },
  })
  const { messages } = conversation({ from: 1 }, { from: 2 }, { sender: 'ann' })
  const reacted = messages.map((message) => ({
    ...message,
    reactions: [reactionOf('ben', 1), reactionOf('ann', 1)],
  }))
  const shown = checkReceived({ messages: reacted, isWhole: true }).map(({ message }) => message)
  expect(shown.map(({ reactions = [] }) => reactions.map(({ by }) => by))).toEqual([
    ['ben', 'ann'],
    ['ann'],
    ['ann'],
  ])
  expect(shown[0]).toBe(reacted[0])
})

it('a message without content has no reaction, sealed or not', () => {
  const reactions = [{ by: 'ben', id: 'r', content: '👍' }]
  const [empty, plain] = [
    { ...messageAt(1), content: '', mediaUrl: null, isUnsent: true as const, reactions },
    { ...messageAt(2), reactions },
  ]
  const shown = checkReceived({ messages: [empty, plain], isWhole: true }).map(({ message }) => message)
  expect(shown.map((message) => message.reactions)).toEqual([[], reactions])
})
