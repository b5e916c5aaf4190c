import { jest } from '@jest/globals'
import { AppError } from '@sumlock/service-kit/app-error'
import { createFakeCollection } from '../test-support/fake-collection.ts'
import type { FakeCollection } from '../test-support/fake-collection.ts'
import { createWorld, sendContext } from '../test-support/send-context.ts'
import { sendMessage } from './send-message.ts'
import type { SendContext, SendMessageInput } from './send-message.ts'

let world: ReturnType<typeof createWorld>
let collection: FakeCollection
let process: SendContext

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
  world.standings.set(userId, { premiumUntil: new Date(world.nowMs + 60_000) })
const refusal = async (sent: Promise<unknown>) => {
  const error: unknown = await sent.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return error instanceof AppError ? `${error.status} ${error.code}` : error
}
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

  it('has no gap after a failed insert, which discards the remembered last seq', async () => {
    makePremium('ann')
    await send(process)
    collection.before = () => {
      throw new Error('connection lost')
    }
    expect(await refusal(send(process))).toBe('503 unavailable')
    expect(process.lastSeqs.has('c1')).toBe(false)
    collection.before = () => undefined
    await send(process)
    expect(seqs()).toEqual([1, 2])
  })

  it('is counted from the last seq, which is read once', async () => {
    makePremium('ann')
    let reads = 0
    const { lastSeq } = process.messages
    process.messages.lastSeq = (id) => {
      reads += 1
      return lastSeq(id)
    }
    for (let i = 0; i < 5; i += 1) await send(process)
    expect(reads).toBe(1)
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
    // Now the slot is known to be spent.
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
  world.standings.set('ann', { premiumUntil: new Date('2030-01-01') })
  world.standings.set('ben', { premiumUntil: null, isGone: true })
  world.nowMs += 1000
  for (const senderId of ['ann', 'ben'])
    expect(await refusal(send(process, { senderId }))).toBe('403 person_gone')
  expect((await send(process, { clientMessageId: 'k' })).isNew).toBe(false)
  world.standings.delete('ben')
  world.nowMs += 1000
  expect((await send(process)).isNew).toBe(true)
  expect(world.billingAsked).toEqual([])
})

it('a send to a person who blocked the conversation is answered as ever and hidden from that person, within a second', async () => {
  for (const senderId of ['ann', 'ben']) makePremium(senderId)
  const premiumUntil = new Date(world.nowMs + 60_000)
  const hidden = async (senderId = 'ann') => (await send(process, { senderId })).record.isHidden
  expect(await hidden()).toBeUndefined()
  world.standings.set('ben', { premiumUntil, blocked: ['c1', 'c2'] })
  expect(await hidden()).toBeUndefined()
  world.nowMs += 1000
  expect(await hidden()).toBe(true)
  expect((await send(process, { conversationId: 'c3' })).record.isHidden).toBeUndefined()
  expect(await hidden('ben')).toBeUndefined()
  world.standings.set('ben', { premiumUntil })
  world.nowMs += 1000
  expect(await hidden()).toBeUndefined()
})

describe('the free message of the day', () => {
  it('is one over all conversations and processes, and is renewed at midnight UTC', async () => {
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
    expect((await send(process)).record.slot).toBe('ann|2026-11-21')
  })

  it('is refused without another insert once its slot is known to be spent', async () => {
    let inserts = 0
    collection.before = () => void (inserts += 1)
    await send(process)
    for (let i = 0; i < 3; i += 1) expect(await refusal(send(process))).toBe('402 daily_limit_reached')
    // The first of the refused sends learns from the index that the slot is spent.
    expect(inserts).toBe(2)
  })

  it('is not spent while either side has premium, and is available when premium has expired', async () => {
    makePremium('ben')
    expect((await send(process)).record.slot).toBeUndefined()
    world.nowMs += 60_000
    expect((await send(process)).record.slot).toBe('ann|2026-11-20')
  })

  it('does not limit a sender when billing knows of premium that is not in the projection yet', async () => {
    await send(process)
    world.billing = (userId) =>
      Promise.resolve({
        userId,
        version: 1,
        subscriptionType: userId === 'ben' ? 'premium' : 'free',
        subscriptionExpiresAt: '2027-01-01T00:00:00.000Z',
      })
    expect((await send(process)).record).toMatchObject({ seq: 2 })
    expect(collection.records[1]?.slot).toBeUndefined()
  })

  it('limits a sender when billing does not answer, and billing is not asked again for two seconds', async () => {
    await send(process)
    world.billing = () => Promise.reject(new Error('away'))
    expect(await refusal(send(process))).toBe('402 daily_limit_reached')
    expect(world.billingAsked).toEqual(['ann', 'ben'])
    world.nowMs += 1999
    expect(await refusal(send(process))).toBe('402 daily_limit_reached')
    expect(world.billingAsked).toHaveLength(2)
    world.nowMs += 1
    expect(await refusal(send(process))).toBe('402 daily_limit_reached')
    expect(world.billingAsked).toHaveLength(4)
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

it('refuses media, which is not supported yet, for members and strangers alike', async () => {
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
