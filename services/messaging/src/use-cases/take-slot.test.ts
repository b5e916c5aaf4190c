import { createFakeCollection } from '../test-support/fake-collection.ts'
import type { FakeCollection } from '../test-support/fake-collection.ts'
import { createWorld, sendContext } from '../test-support/send-context.ts'
import { outcomeOf } from '../test-support/outcome-of.ts'
import { sendMessage } from './send-message.ts'
import type { SendContext } from './send-message.ts'

let world: ReturnType<typeof createWorld>
let collection: FakeCollection
let process: SendContext

beforeEach(() => {
  world = createWorld()
  collection = createFakeCollection()
  process = sendContext(world, collection)
})

const send = (clientMessageId: string, conversationId = 'c1', ctx = process) =>
  outcomeOf(
    sendMessage(ctx, {
      senderId: 'ann',
      conversationId,
      content: 'x',
      messageType: 'text',
      mediaUrl: undefined,
      clientMessageId,
    }),
  )
const ids = () => collection.records.map(({ clientMessageId }) => clientMessageId)
/** A process that takes the slot for message "crashed" and never stores the message. */
async function crash(): Promise<void> {
  const crashing = sendContext(world, collection)
  crashing.messages.insert = () => Promise.reject(new Error('killed'))
  expect(await send('crashed', 'c1', crashing)).toBe('unavailable')
  process = { ...sendContext(world, collection), timeouts: { sendQueueMs: 2000, storeMs: 500 } }
}

describe('a free slot whose message was not stored', () => {
  beforeEach(crash)

  it('is used by the same message at once', async () => {
    expect(await send('crashed')).toBe('stored')
    expect(await send('other')).toBe('daily_limit_reached')
  })

  it('is used by another message of any conversation after ten seconds, and not before', async () => {
    world.nowMs += 9999
    expect(await send('other', 'c2')).toBe('unavailable')
    world.nowMs += 1
    expect(await send('other', 'c2')).toBe('stored')
    expect(await send('crashed')).toBe('daily_limit_reached')
    expect(ids()).toEqual(['other'])
  })

  it('is kept for the same message from the time of its last attempt', async () => {
    world.nowMs += 9000
    await crash()
    world.nowMs += 9999
    expect(await send('other')).toBe('unavailable')
    expect(await send('crashed')).toBe('stored')
  })
})

it('a send that waits while another message of its sender is being stored is refused once it is', async () => {
  const second = sendContext(world, collection)
  let proceed: () => void = () => undefined
  const inserting = new Promise<void>((resolve) => {
    collection.before = () => {
      resolve()
      return new Promise((done) => (proceed = done))
    }
  })
  const first = send('first')
  await inserting
  const other = send('other', 'c2', second)
  proceed()
  expect([await first, await other]).toEqual(['stored', 'daily_limit_reached'])
})

it('a send that became too late after it took its slot does not store a second free message', async () => {
  const { insert } = process.messages
  let proceed: () => void = () => undefined
  const inserting = new Promise<void>((resolve) => {
    process.messages.insert = async (...message) => {
      resolve()
      await new Promise<void>((done) => (proceed = done))
      await insert(...message)
    }
  })
  const late = send('late')
  await inserting
  world.nowMs += 10_000
  expect(await send('other', 'c2', sendContext(world, collection))).toBe('stored')
  proceed()
  expect(await late).toBe('daily_limit_reached')
  expect(ids()).toEqual(['other'])
})

it('a send that became too late takes its slot again when no other has it', async () => {
  const { insert } = process.messages
  process.messages.insert = async (...message) => {
    process.messages.insert = insert
    world.nowMs += 5000
    await insert(...message)
  }
  expect(await send('late')).toBe('stored')
  expect([...world.slots.rows.values()].map(({ takenAt }) => takenAt.getTime())).toEqual([world.nowMs])
})

it('a message that premium covered spends no slot when it is repeated after premium has ended', async () => {
  world.statuses.set('ann', { premiumUntil: new Date(world.nowMs + 1000) })
  await send('covered')
  world.nowMs += 2000
  expect(await send('covered')).toBe('known')
  expect(await send('free')).toBe('stored')
})
