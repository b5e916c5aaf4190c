import { randomUUID } from 'node:crypto'
import { resetApp } from '@sumlock/contracts/auth-routes'
import { setConversationState } from '@sumlock/contracts/conversation-state-routes'
import { limits } from '@sumlock/contracts/limits'
import { setupNumericPassword } from '@sumlock/contracts/lock-routes'
import { getStorage, requestUpload } from '@sumlock/contracts/media-routes'
import { listMessages, sendMessage } from '@sumlock/contracts/messaging-routes'
import { abortMultipart, signPart } from '@sumlock/contracts/s3-routes'
import { withDatabase } from '@sumlock/testing/database'
import { get, openRequest, sendMedia, someBytes, storedObjects, upload } from '@sumlock/testing/media'
import { beginMultipart, completeParts, nameOf, sendParts } from '@sumlock/testing/multipart'
import { adminPerson, befriend, makePremium, unlock, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import type { MediaRow } from '../src/domain/media.ts'
import { eraseWhole } from '../src/test-support/erase-whole.ts'
import { finishErasing } from '../src/use-cases/erase-person.ts'
import { sweepMedia } from '../src/use-cases/sweep-media.ts'

let stack: RunningStack
let ann: Person
let ben: Person
let conversationId: string
beforeAll(async () => {
  stack = await sharedStack()
  ;[ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  await makePremium(await adminPerson(stack), ann)
  conversationId = (await befriend(ann, ben)).id
})

const keyOf = (url: string) => url.slice(-24)
const usedBy = async ({ client }: Person) => (await client.ok(getStorage)).usedBytes
const withRows = <T>(work: (rows: ReturnType<typeof rowsOf>) => Promise<T>) =>
  withDatabase(stack, 'messaging', (database) => work(rowsOf(database)))
const rowsOf = (database: Parameters<Parameters<typeof withDatabase>[2]>[0]) =>
  database.collection<MediaRow>('media')
const rowOf = (url: string) => withRows((rows) => rows.findOne({ _id: keyOf(url) }))
const objectsOf = async (url: string) =>
  (await storedObjects(stack)).filter((key) => key.startsWith(keyOf(url)))

const partsOf = async (key: string) => (await storedObjects(stack)).filter((name) => name.includes(key))

it('a reset removes all that a person uploaded, and gives the bytes back', async () => {
  const [cal, dan] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  const { id } = await befriend(cal, dan)
  const { mediaUrl } = await sendMedia(cal.client, id, someBytes(1000))
  const unsent = await upload(cal.client, someBytes(500))
  const { key, uploadId } = await beginMultipart(cal.client)
  await sendParts(cal.client, { key, uploadId }, [someBytes(200)])
  expect((await get(dan.client, mediaUrl)).status).toBe(200)
  expect(await usedBy(cal)).toBe(1700)

  await cal.client.ok(resetApp, { body: { password: cal.password } })
  expect((await get(dan.client, mediaUrl)).status).toBe(404)
  const [message] = await dan.client.ok(listMessages, { params: { id } })
  expect(message).toMatchObject({ mediaUrl })
  await eventually(async () => {
    for (const url of [mediaUrl, unsent]) expect(await objectsOf(url)).toEqual([])
    expect(await partsOf(key)).toEqual([])
  })
  await cal.client.ok(setupNumericPassword, { body: { numericPassword: cal.pin } })
  await unlock(cal)
  await eventually(async () => expect(await usedBy(cal)).toBe(0))
})

it('a file sent to a person who blocks the conversation exists for its sender alone', async () => {
  const [cal, dan] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  await makePremium(await adminPerson(stack), cal)
  const { id } = await befriend(cal, dan)
  await dan.client.ok(setConversationState, { params: { id }, body: { isBlocked: true } })
  // Another replica may apply the block a second later.
  const mediaUrl = await eventually(async () => {
    const sent = await sendMedia(cal.client, id, someBytes(10))
    const shown = (await dan.client.ok(listMessages, { params: { id } })).at(-1)
    expect(shown).toMatchObject({ mediaUrl: null })
    return sent.mediaUrl
  })
  expect((await get(dan.client, mediaUrl)).status).toBe(404)
  expect((await get(cal.client, mediaUrl)).status).toBe(200)
  await dan.client.ok(setConversationState, { params: { id }, body: { isBlocked: false } })
  expect((await get(dan.client, mediaUrl)).status).toBe(404)
})

describe('the sweep', () => {
  const minuteMs = 60_000
  const hourMs = 60 * minuteMs

  let ctx: Context
  beforeAll(async () => {
    ctx = await createContext(readConfig(stack.service('messaging').environment))
  })
  afterAll(() => ctx.close())

  /** Sweeps as if the time of a file had come; the files of other tests stay. Resolves with the length of that time. */
  async function sweepInTime(url: string): Promise<number> {
    const row = await rowOf(url)
    if (!row?.sweepAt) throw new Error('The sweep will not look at this file.')
    await withRows((rows) => rows.updateOne({ _id: row._id }, { $set: { sweepAt: new Date(0) } }))
    await sweepMedia(ctx, ctx.clock.now())
    return row.sweepAt.getTime() - row.createdAt.getTime()
  }
  // The running replicas may sweep the same row.
  const isGone = (url: string) =>
    eventually(async () => {
      expect(await rowOf(url)).toBeNull()
      expect(await objectsOf(url)).toEqual([])
    })

  it('removes a reservation that was not used, once no upload can be running any more', async () => {
    const eve = await unlockedPerson(stack)
    const { uploadURL } = await eve.client.ok(requestUpload, { body: { size: 1000 } })
    expect(await usedBy(eve)).toBe(1000)
    expect(await sweepInTime(uploadURL)).toBe(limits.uploadLifetimeSeconds * 1000 + 20 * minuteMs)
    await isGone(uploadURL)
    expect(await usedBy(eve)).toBe(0)
  })

  it('removes a file that was not sent within a day', async () => {
    const eve = await unlockedPerson(stack)
    const url = await upload(eve.client, someBytes(1000))
    expect(await objectsOf(url)).toHaveLength(1)
    const tookMs = await sweepInTime(url)
    expect(tookMs).toBeGreaterThanOrEqual(limits.unsentMediaHours * hourMs)
    expect(tookMs).toBeLessThan(limits.unsentMediaHours * hourMs + minuteMs)
    await isGone(url)
    expect(await usedBy(eve)).toBe(0)
  })

  it('gives an upload in parts up after a day, also when its id in the store was never noted', async () => {
    const eve = await unlockedPerson(stack)
    for (const isNoted of [true, false]) {
      const { key, uploadId } = await beginMultipart(eve.client)
      await sendParts(eve.client, { key, uploadId }, [someBytes(1000), someBytes(500)])
      expect(await usedBy(eve)).toBe(1500)
      expect(await partsOf(key)).not.toEqual([])
      if (!isNoted)
        await withRows((rows) => rows.updateOne({ _id: key }, { $unset: { 'multipart.storeUploadId': '' } }))
      expect(await sweepInTime(key)).toBe(limits.multipartHours * hourMs)
      await isGone(key)
      expect(await partsOf(key)).toEqual([])
      expect(await usedBy(eve)).toBe(0)
    }
  })

  it('delays the removal of an upload in parts until no part can be in flight', async () => {
    const eve = await unlockedPerson(stack)
    const { key, uploadId } = await beginMultipart(eve.client)
    const { url } = await eve.client.ok(signPart, nameOf({ key, uploadId }, 1))
    const open = openRequest(eve.client, 'PUT', url, { 'content-length': 1000 })
    await new Promise((resolve) => open.write('the first bytes', resolve))
    await eventually(async () => expect(await usedBy(eve)).toBe(1000))
    await eve.client.ok(abortMultipart, nameOf({ key, uploadId }))
    await sweepMedia(ctx, ctx.clock.now())
    await eventually(async () =>
      expect((await rowOf(key))?.sweepAt?.getTime()).toBeGreaterThan(Date.now() + 19 * minuteMs),
    )
    open.destroy()
    await isGone(key)
    expect(await usedBy(eve)).toBe(0)
  })

  it('leaves nothing of an upload whose process was killed after the store had put the file together', async () => {
    const eve = await unlockedPerson(stack)
    const begun = [await beginMultipart(eve.client), await beginMultipart(eve.client)] as const
    for (const upload of begun) {
      const parts = await sendParts(eve.client, upload, [someBytes(1000)])
      const { storeKey = '', storeUploadId = '' } = (await rowOf(upload.key))?.multipart ?? {}
      await ctx.multipartBucket.complete(storeKey, storeUploadId, parts)
      if (upload === begun[0])
        expect(await completeParts(eve.client, upload, parts)).toHaveProperty('location')
    }
    expect((await get(eve.client, `/api/objects/${begun[0].key}`)).bytes).toHaveLength(1000)
    for (const { key } of begun) {
      await sweepInTime(key)
      await isGone(key)
    }
    expect(await usedBy(eve)).toBe(0)
  })

  it('removes a file whose message never came', async () => {
    const body = { conversationId, messageType: 'image' as const, clientMessageId: randomUUID() }
    await ann.client.ok(sendMessage, { body: { ...body, mediaUrl: await upload(ann.client, someBytes(10)) } })
    const mediaUrl = await upload(ann.client, someBytes(10))
    // The message was refused after the file was bound, because its id belongs to another message.
    expect(await ann.client.call(sendMessage, { body: { ...body, mediaUrl } })).toMatchObject({ status: 409 })
    expect(await rowOf(mediaUrl)).toMatchObject({ status: 'bound' })
    await sweepInTime(mediaUrl)
    await isGone(mediaUrl)
  })

  it('comes before the end of a purge, which is not acknowledged until all media of the person are gone', async () => {
    const eve = await unlockedPerson(stack)
    const url = await upload(eve.client, someBytes(1000))
    // The sweep was postponed, as if the store had not answered.
    await withRows((rows) => rows.updateOne({ _id: keyOf(url) }, { $push: { attempts: 'another try' } }))
    await eraseWhole(ctx, eve.user.id)
    expect(await finishErasing(ctx, eve.user.id)).toBe(false)
    await withRows((rows) =>
      rows.updateOne({ _id: keyOf(url) }, { $set: { attempts: [], sweepAt: new Date(0) } }),
    )
    await sweepMedia(ctx, ctx.clock.now())
    await isGone(url)
    expect(await finishErasing(ctx, eve.user.id)).toBe(true)
    const usage = await withDatabase(stack, 'messaging', (database) =>
      database.collection<{ _id: string }>('mediaUsage').findOne({ _id: eve.user.id }),
    )
    expect(usage).toBeNull()
  })

  it('keeps a sent file, and removes the remains of another upload attempt by a killed process', async () => {
    const { mediaUrl } = await sendMedia(ann.client, conversationId, someBytes(10))
    const left = await upload(ann.client, someBytes(20))
    const { storeKey = '' } = (await rowOf(left)) ?? {}
    await withRows(async (rows) => {
      await rows.deleteOne({ _id: keyOf(left) })
      await rows.updateOne({ _id: keyOf(mediaUrl) }, { $push: { attempts: storeKey } })
    })
    await sweepInTime(mediaUrl)
    // The other attempt may still be running, so its object is removed later.
    await eventually(async () => {
      const row = await rowOf(mediaUrl)
      expect(row?.sweepAt?.getTime()).toBe((row?.uploadUntil.getTime() ?? 0) + 20 * minuteMs)
    })
    await withRows((rows) => rows.updateOne({ _id: keyOf(mediaUrl) }, { $set: { uploadUntil: new Date(0) } }))
    await sweepInTime(mediaUrl)
    await eventually(async () => {
      expect(await objectsOf(left)).toEqual([])
      expect(await rowOf(mediaUrl)).toMatchObject({ status: 'bound', attempts: [] })
      expect(await rowOf(mediaUrl)).not.toHaveProperty('sweepAt')
    })
    expect((await get(ben.client, mediaUrl)).bytes).toHaveLength(10)
  })

  it('delays the removal of a file during an upload until the upload can no longer leave anything', async () => {
    const eve = await unlockedPerson(stack)
    const { uploadURL } = await eve.client.ok(requestUpload, { body: { size: 1000 } })
    const attempt = `${keyOf(uploadURL)}.attempt`
    const $set = { status: 'removing' as const, attempts: [attempt], sweepAt: new Date(0) }
    await withRows((rows) => rows.updateOne({ _id: keyOf(uploadURL) }, { $set }))
    await sweepMedia(ctx, ctx.clock.now())
    await eventually(async () => expect((await rowOf(uploadURL))?.sweepAt).not.toEqual(new Date(0)))
    const row = await rowOf(uploadURL)
    expect(row?.sweepAt?.getTime()).toBe((row?.uploadUntil.getTime() ?? 0) + 20 * minuteMs)
    await withRows((rows) =>
      rows.updateOne({ _id: keyOf(uploadURL) }, { $set: { uploadUntil: new Date(0) } }),
    )
    await sweepInTime(uploadURL)
    await isGone(uploadURL)
    expect(await usedBy(eve)).toBe(0)
  })
})
