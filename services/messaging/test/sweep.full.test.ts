import { randomUUID } from 'node:crypto'
import { openNamespace } from '@sumlock/testing/namespace'
import type { Namespace } from '@sumlock/testing/namespace'
import { insertRows } from '@sumlock/testing/walk-bounded-writes'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import type { MediaRow } from '../src/domain/media.ts'
import { sweepMedia } from '../src/use-cases/sweep-media.ts'

const dayMs = 86_400_000

let namespace: Namespace
let ctx: Context
beforeAll(async () => {
  namespace = await openNamespace()
  ctx = await createContext(readConfig(namespace.environmentOf('messaging')))
})
afterAll(async () => {
  await ctx?.close()
  await namespace?.close()
})
const rows = () => ctx.connection.collection<MediaRow>('media')
beforeEach(() => rows().deleteMany({}))

/** Inserts rows whose files are to be removed, the first ones before the others. */
const insertRemoving = (count: number, row: (index: number) => Partial<MediaRow>) =>
  insertRows(ctx.connection, 'media', count, (index) => ({
    ...{ ownerId: 'o', sessionId: 's', status: 'removing', bytes: 1, maxBytes: 1, attempts: [] },
    ...{ uploadUntil: new Date(0), createdAt: new Date(0), sweepAt: new Date(index), ...row(index) },
  }))

/** The store removes an object only after this has happened. */
const storeRemoves = (before: (key: string) => Promise<unknown>): Context => ({
  ...ctx,
  mediaBucket: { ...ctx.mediaBucket, remove: async ([key = '']) => void (await before(key)) },
})

it('files that cannot be removed delay no others, and each sweep fails because of them', async () => {
  const isBad = (index: number) => index < 15
  await insertRemoving(250, (index) => ({ _id: String(index), storeKey: isBad(index) ? 'bad' : 'good' }))
  const refusing = storeRemoves((key) =>
    key === 'bad' ? Promise.reject(new Error('access denied')) : Promise.resolve(),
  )
  const sweep = (ms: number) =>
    expect(sweepMedia(refusing, new Date(ms))).rejects.toThrow('could not be swept')
  await sweep(dayMs)
  await sweep(dayMs + 5000)
  expect((await rows().find().toArray()).every(({ storeKey }) => storeKey === 'bad')).toBe(true)
  await sweep(dayMs + 10_000)
  expect(await rows().countDocuments({})).toBe(15)
})

it('a file is counted no longer when its message is taken back while its object is being removed', async () => {
  const bound = { conversationId: randomUUID(), senderId: 'o', clientMessageId: randomUUID() }
  const countedUntil = new Date(Date.now() + 30 * dayMs)
  await insertRemoving(1, () => ({ _id: 'counted', storeKey: 'key', bound, countedUntil }))
  let isTakenBack = false
  const interrupted = storeRemoves(async () => {
    if (!isTakenBack) await ctx.media.removeOfMessage(bound)
    isTakenBack = true
  })
  await sweepMedia(interrupted, new Date())
  await sweepMedia(interrupted, new Date())
  expect(await rows().countDocuments({})).toBe(0)
})
