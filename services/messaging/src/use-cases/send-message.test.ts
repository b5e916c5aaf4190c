import { jest } from '@jest/globals'
import type { Entitlement } from '@sumlock/contracts/internal-routes'
import { AppError } from '@sumlock/service-kit/app-error'
import { memberKey } from '../domain/member.ts'
import type { MessageRecord } from '../domain/message.ts'
import { createFakeCollection } from '../test-support/fake-collection.ts'
import type { FakeCollection } from '../test-support/fake-collection.ts'
import { createWorld, sendContext } from '../test-support/send-context.ts'
import { sendMessage } from './send-message.ts'
import type { SendMessageInput } from '../domain/send.ts'
import type { SendContext } from './send-message.ts'

let world: ReturnType<typeof createWorld>
let collection: FakeCollection
let process: SendContext

afterEach(() => jest.restoreAllMocks())
beforeEach(() => {
  world = createWorld()
  collection = createFakeCollection()
  process = sendContext(world, collection)
})

const send = (ctx: SendContext, changes: Partial<SendMessageInput> = {}) =>
  sendMessage(ctx, {
    senderId: 'ann',
    conversationId: 'c1',
    content: 'x',
    messageType: 'text',
    mediaUrl: undefined,
    clientMessageId: undefined,
    ...changes,
  })

const makePremium = (userId: string) =>
  world.statuses.set(userId, { premiumUntil: new Date(world.nowMs + 60_000) })
const refusal = async (sent: Promise<unknown>) => {
  const error: unknown = await sent.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return error instanceof AppError ? `${error.status} ${error.code}` : error
}
const benIsPremium = (userId: string) =>
  Promise.resolve<Entitlement>({
    userId,
    version: 1,
    subscriptionType: userId === 'ben' ? 'premium' : 'free',
    subscriptionExpiresAt: '2027-01-01T00:00:00.000Z',
  })
/** Returns the slots that name this message. */
const slotsOf = ({ clientMessageId }: MessageRecord) =>
  [...world.slots.rows.values()]
    .filter((slot) => slot.clientMessageId === clientMessageId)
    .map(({ _id }) => _id)
const seqs = () => collection.records.map(({ seq }) => seq)
const count = (length: number) => Array.from({ length }, (_, index) => index + 1)

describe('the seq of a sent message', () => {
  it('continues without a gap when two processes send alternately', async () => {
    makePremium('ann')
    const second = sendContext(world, collection)
    for (const ctx of [process, process, second, second, second, process]) await send(ctx)
    expect(seqs()).toEqual(count(6))
  })

  it('comes with an unpublished mark, so that the message is published even after a crash', async () => {
    expect(await send(process)).toMatchObject({ isNew: true, isRead: false })
    expect(collection.records.map(({ unpublished }) => unpublished)).toEqual([true])
  })

  it('has no gap, and no send is refused, when three processes send into one conversation at once', async () => {
    makePremium('ben')
    const processes = [process, sendContext(world, collection), sendContext(world, collection)]
    const sent = await Promise.all(processes.flatMap((ctx) => count(40).map(() => send(ctx))))
    expect(seqs()).toEqual(count(120))
    expect(sent.map(({ record }) => record.seq).sort((left, right) => left - right)).toEqual(count(120))
  })

  it('has no gap after a failed insert, which discards the remembered position', async () => {
    makePremium('ann')
    await send(process)
    collection.before = () => {
      throw new Error('connection lost')
    }
    expect(await refusal(send(process))).toBe('503 unavailable')
    expect(process.lastPositions.has('c1')).toBe(false)
    collection.before = () => undefined
    await send(process)
    expect(seqs()).toEqual([1, 2])
  })

  it('is counted from the last seq, which is read once', async () => {
    makePremium('ann')
    let reads = 0
    const { positionOf } = process.messages
    process.messages.positionOf = (id) => {
      reads += 1
      return positionOf(id)
    }
    for (let i = 0; i < 5; i += 1) await send(process)
    expect(reads).toBe(1)
  })
})

describe('the counts of a message', () => {
  const scan = () =>
    collection.records.map((_record, index) =>
      ['ann', 'ben'].map(
        (id) => collection.records.slice(0, index + 1).filter(({ senderId }) => senderId === id).length,
      ),
    )

  it('say how many messages each member has sent so far when three processes send at once', async () => {
    makePremium('ben')
    const processes = [process, sendContext(world, collection), sendContext(world, collection)]
    await Promise.all(
      processes.flatMap((ctx) => count(30).map((n) => send(ctx, { senderId: n % 3 ? 'ann' : 'ben' }))),
    )
    expect(collection.records.map(({ counts }) => counts)).toEqual(scan())
    expect(collection.records.at(-1)?.counts).toEqual([60, 30])
  })

  it('keep the order of the first message, whoever sends the next one', async () => {
    makePremium('ann')
    await send(process)
    collection.records[0]!.memberIds = ['ben', 'ann']
    collection.records[0]!.counts = [0, 1]
    await send(sendContext(world, collection), { senderId: 'ben' })
    expect(collection.records[1]).toMatchObject({ memberIds: ['ben', 'ann'], counts: [1, 1] })
  })

  it('leave out what a blocked person sends', async () => {
    makePremium('ann')
    await send(process)
    world.blocked.add(memberKey('ben', 'c1'))
    process = sendContext(world, collection)
    await send(process)
    await send(process, { senderId: 'ben' })
    expect(collection.records.map(({ isHidden, counts }) => [isHidden, counts])).toEqual([
      [undefined, [1, 0]],
      [true, [1, 0]],
      [undefined, [1, 1]],
    ])
  })
})

describe('a clientMessageId', () => {
  it('finds the stored message when an insert was applied but its response was lost', async () => {
    collection.after = () => Promise.reject(new Error('connection lost'))
    expect(await refusal(send(process, { clientMessageId: 'k' }))).toBe('503 unavailable')
    collection.after = () => Promise.resolve()
    const again = await send(process, { clientMessageId: 'k' })
    expect(again.isNew).toBe(false)
    expect(again.record).toBe(collection.records[0])
    expect(seqs()).toEqual([1])
  })

  it('is checked before the free slot, so that repeating the free message does not need a second one', async () => {
    await send(process, { clientMessageId: 'k' })
    expect((await send(process, { clientMessageId: 'k' })).isNew).toBe(false)
    expect(await refusal(send(process, { clientMessageId: 'other' }))).toBe('402 daily_limit_reached')
    // The slot is now certainly spent.
    expect((await send(process, { clientMessageId: 'k' })).isNew).toBe(false)
    expect(await refusal(send(process, { clientMessageId: 'other' }))).toBe('402 daily_limit_reached')
  })

  it('cannot be reused for another content, except by the other person', async () => {
    await send(process, { clientMessageId: 'k' })
    const reused = send(process, { clientMessageId: 'k', content: 'y' })
    expect(await refusal(reused)).toBe('409 client_message_id_reused')
    expect((await send(process, { clientMessageId: 'k', senderId: 'ben', content: 'y' })).isNew).toBe(true)
  })

  it('is looked up again when the index contains the message before the majority does', async () => {
    await send(process, { clientMessageId: 'k' })
    let looks = 0
    collection.visible = () => ((looks += 1) > 6 ? collection.records : [])
    const second = sendContext(world, collection)
    expect((await send(second, { clientMessageId: 'k' })).isNew).toBe(false)
    expect(seqs()).toEqual([1])
  })
})

it('a send to or from a person who is leaving is refused, also with premium, but a stored one is answered again', async () => {
  await send(process, { clientMessageId: 'k' })
  world.statuses.set('ann', { premiumUntil: new Date('2030-01-01') })
  world.statuses.set('ben', { premiumUntil: null, isGone: true })
  world.nowMs += 1000
  for (const senderId of ['ann', 'ben'])
    expect(await refusal(send(process, { senderId }))).toBe('403 person_gone')
  expect((await send(process, { clientMessageId: 'k' })).isNew).toBe(false)
  world.statuses.delete('ben')
  world.nowMs += 1000
  expect((await send(process)).isNew).toBe(true)
  expect(world.billingAsked).toEqual([])
})

it('a send to a person who blocked the conversation is answered as ever and hidden from that person, within a second', async () => {
  for (const senderId of ['ann', 'ben']) makePremium(senderId)
  const hidden = async (senderId = 'ann') => (await send(process, { senderId })).record.isHidden
  expect(await hidden()).toBeUndefined()
  world.blocked.add(memberKey('ben', 'c1'))
  expect(await hidden()).toBeUndefined()
  world.nowMs += 1000
  expect(await hidden()).toBe(true)
  expect((await send(process, { conversationId: 'c3' })).record.isHidden).toBeUndefined()
  expect(await hidden('ben')).toBeUndefined()
  world.blocked.clear()
  world.nowMs += 1000
  expect(await hidden()).toBeUndefined()
})

describe('the free message of the day', () => {
  it('LIM-17: is one over all conversations and processes, and is renewed at midnight UTC', async () => {
    const second = sendContext(world, collection)
    const attempts = [process, second].flatMap((ctx) =>
      count(5).map((n) => refusal(send(ctx, { conversationId: `c${n}` }))),
    )
    const refusals = await Promise.all(attempts)
    expect(refusals.filter((error) => error === undefined)).toHaveLength(1)
    expect(refusals.filter((error) => error === '402 daily_limit_reached')).toHaveLength(9)
    await expect(send(process)).rejects.toMatchObject({
      details: { resetsAt: '2026-11-21T00:00:00.000Z' },
    })
    world.nowMs = new Date('2026-11-21T00:00:00.000Z').getTime()
    const { record } = await send(process)
    expect(slotsOf(record)).toEqual(['ann|2026-11-21'])
  })

  it('is refused without another insert once its slot is known to be spent', async () => {
    let inserts = 0
    collection.before = () => void (inserts += 1)
    await send(process)
    for (let i = 0; i < 3; i += 1) expect(await refusal(send(process))).toBe('402 daily_limit_reached')
    expect(inserts).toBe(1)
  })

  it('is not spent while either side has premium, and is available when premium has expired', async () => {
    makePremium('ben')
    expect(slotsOf((await send(process)).record)).toEqual([])
    world.nowMs += 60_000
    expect(slotsOf((await send(process)).record)).toEqual(['ann|2026-11-20'])
  })

  it('needs the free slot when premium ends between the check and the time of the message', async () => {
    makePremium('ben')
    await send(process)
    const until = world.nowMs + 60_000
    let asked = 0
    process.clock = { nowMs: () => world.nowMs, now: () => new Date(until - 2 + (asked += 1)) }
    const { record } = await send(process)
    expect(record.createdAt.getTime()).toBeGreaterThanOrEqual(until)
    expect(slotsOf(record)).toEqual(['ann|2026-11-20'])
  })

  it('does not limit a sender when billing knows of premium that is not in the projection yet', async () => {
    await send(process)
    world.billing = benIsPremium
    const { record } = await send(process)
    expect(record.seq).toBe(2)
    expect(slotsOf(record)).toEqual([])
  })

  it('limits a sender when billing does not answer, and billing is not asked again for two seconds', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0)
    await send(process)
    world.billing = () => Promise.reject(new Error('away'))
    expect(await refusal(send(process))).toBe('402 daily_limit_reached')
    expect(world.billingAsked).toEqual(['ann', 'ben'])
    now.mockReturnValue(2000)
    expect(await refusal(send(process))).toBe('402 daily_limit_reached')
    expect(world.billingAsked).toHaveLength(2)
    now.mockReturnValue(2001)
    expect(await refusal(send(process))).toBe('402 daily_limit_reached')
    expect(world.billingAsked).toHaveLength(4)
  })

  it('asks billing once for a crowd of sends, and again for a send that arrives after the answer', async () => {
    await send(process)
    const crowd = await Promise.all(Array.from({ length: 20 }, () => refusal(send(process))))
    expect(crowd).toEqual(Array(20).fill('402 daily_limit_reached'))
    expect(world.billingAsked).toEqual(['ann', 'ben'])
    world.billing = benIsPremium
    expect((await send(process)).isNew).toBe(true)
  })

  it('does not limit a sender when billing answers for the premium member only', async () => {
    await send(process)
    world.billing = (userId) =>
      userId === 'ann'
        ? Promise.reject(new Error('away'))
        : Promise.resolve({
            userId,
            version: 1,
            subscriptionType: 'premium',
            subscriptionExpiresAt: '2027-01-01T00:00:00.000Z',
          })
    expect((await send(process)).isNew).toBe(true)
  })
})

it('answers a send by a stranger like a send to a conversation that does not exist', async () => {
  expect(await refusal(send(process, { senderId: 'eve' }))).toBe('404 conversation_not_found')
  expect(await refusal(send(process, { conversationId: 'none' }))).toBe('404 conversation_not_found')
  expect(collection.records).toEqual([])
})

it('answers 404 to media that nobody has uploaded, and to a stranger as without media', async () => {
  const media = { messageType: 'image', mediaUrl: '/objects/1' } as const
  expect(await refusal(send(process, media))).toBe('404 media_not_found')
  expect(await refusal(send(process, { ...media, senderId: 'eve' }))).toBe('404 conversation_not_found')
})

it('fails queued sends at once when the database is away', async () => {
  makePremium('ann')
  let commands = 0
  collection.before = () => {
    commands += 1
    return Promise.reject(new Error('connection lost'))
  }
  const line = await Promise.all(count(5).map(() => refusal(send(process))))
  expect(line).toEqual(Array.from({ length: 5 }, () => '503 unavailable'))
  expect(commands).toBe(1)
})

it('refuses a send at once when too many are queued', async () => {
  makePremium('ann')
  Object.defineProperty(process.sending, 'waiting', { value: 2000 })
  expect(await refusal(send(process))).toBe('429 too_many_requests')
  expect(collection.records).toEqual([])
})

it('does not store a queued send after its time limit', async () => {
  makePremium('ann')
  let goOn: () => void = () => undefined
  const inFlight = new Promise<void>((resolve) => {
    collection.before = () => {
      collection.before = () => undefined
      resolve()
      return new Promise<void>((done) => (goOn = done))
    }
  })
  const first = send(process)
  const second = refusal(send(process))
  await inFlight
  const late = performance.now() + 2100
  const now = jest.spyOn(performance, 'now').mockReturnValue(late)
  goOn()
  await first
  expect(await second).toBe('429 too_many_requests')
  now.mockRestore()
  expect(collection.records).toHaveLength(1)
})

describe('a sealed message', () => {
  const sealed = { v: 1, from: 2, to: 3 } as const
  const known = (ann: number, ben: number) => {
    world.statuses.set('ann', { premiumUntil: new Date(world.nowMs + 60_000), keyEpoch: ann })
    world.statuses.set('ben', { premiumUntil: null, keyEpoch: ben })
  }

  it.each([
    ['of the sender', 3, 3],
    ['of the receiver', 2, 4],
  ])('is refused when messaging knows a newer key %s', async (_whose, ann, ben) => {
    known(ann, ben)
    expect(await refusal(send(process, { sealed }))).toBe('409 keys_changed')
    expect(world.keysAsked).toEqual([])
  })

  it('is stored with the present keys, and with newer ones, which auth is asked for', async () => {
    known(2, 3)
    expect((await send(process, { sealed })).record.sealed).toEqual(sealed)
    expect(world.keysAsked).toEqual([])
    expect((await send(process, { sealed: { v: 1, from: 3, to: 3 } })).isNew).toBe(true)
    expect(world.keysAsked).toEqual(['ann'])
  })

  it('is the stored one when it comes again with other bytes, also sealed with a former key, but not as another type', async () => {
    known(2, 3)
    await send(process, { clientMessageId: 'k', sealed })
    known(2, 4)
    world.nowMs += 2000
    const again = await send(process, { clientMessageId: 'k', content: 'other bytes', sealed })
    expect([again.isNew, again.record.content]).toEqual([false, 'x'])
    const asImage = send(process, { clientMessageId: 'k', messageType: 'image', sealed })
    expect(await refusal(asImage)).toBe('409 client_message_id_reused')
    expect(await refusal(send(process, { clientMessageId: 'k' }))).toBe('409 client_message_id_reused')
  })
})
