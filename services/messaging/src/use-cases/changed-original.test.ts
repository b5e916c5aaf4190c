import { messageKey } from '../domain/message.ts'
import type { MessageRecord } from '../domain/message.ts'
import { slotOf } from '../domain/slot.ts'
import { createFakeCollection } from '../test-support/fake-collection.ts'
import type { FakeCollection } from '../test-support/fake-collection.ts'
import { outcomeOf } from '../test-support/outcome-of.ts'
import { createWorld, sendContext } from '../test-support/send-context.ts'
import { sendMessage } from './send-message.ts'

let world: ReturnType<typeof createWorld>
let collection: FakeCollection

beforeEach(() => {
  world = createWorld()
  collection = createFakeCollection()
})

/** Stores a message of this id as other acts left it. */
const left = (clientMessageId: string, fields: Partial<MessageRecord>) =>
  void collection.records.push({
    ...{ _id: messageKey('c1', 1), messageId: 'm', conversationId: 'c1', senderId: 'ann' },
    ...{ memberIds: ['ann', 'ben'], seq: 1, clientMessageId, content: '', messageType: 'text' },
    ...{ mediaUrl: null, createdAt: new Date(world.nowMs), counts: [0, 0], ...fields },
  })
const send = (clientMessageId: string, fields: { content?: string; mediaUrl?: string } = {}) =>
  outcomeOf(
    sendMessage(sendContext(world, collection), {
      ...{ senderId: 'ann', conversationId: 'c1', content: 'first sent' },
      ...{ messageType: fields.mediaUrl ? 'image' : 'text', mediaUrl: undefined, clientMessageId, ...fields },
    }),
  )
const mediaUrl = `/api/objects/${'k'.repeat(24)}`

it('an original that arrives after its unsend is known, whatever it contains, and takes no slot', async () => {
  left('taken', { isUnsent: true, isUnstored: true })
  for (const fields of [{}, { content: 'other' }, { mediaUrl }])
    expect(await send('taken', fields)).toBe('known')
  expect(world.slots.rows.size).toBe(0)
  expect(await send('next')).toBe('stored')
})

it('a slot that names a message taken back before it was stored is free at once', async () => {
  left('taken', { isUnsent: true, isUnstored: true })
  const _id = slotOf('ann', new Date(world.nowMs))
  const takenAt = new Date(world.nowMs)
  await world.slots.insert({ _id, conversationId: 'c1', clientMessageId: 'taken', takenAt })
  expect(await send('next')).toBe('stored')
  expect(await send('one more')).toBe('daily_limit_reached')
})

it('a message that was stored and then taken back has spent its slot', async () => {
  expect(await send('free')).toBe('stored')
  Object.assign(collection.records[0] as MessageRecord, { content: '', isUnsent: true })
  expect(await send('free')).toBe('known')
  expect(await send('next')).toBe('daily_limit_reached')
})

it('an original that was edited since is known by its type and media', async () => {
  left('edited', { content: 'edited', edit: { id: 'act', at: new Date(world.nowMs), count: 1 } })
  expect(await send('edited')).toBe('known')
  expect(await send('edited', { mediaUrl })).toBe('client_message_id_reused')
})
