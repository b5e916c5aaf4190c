import { randomUUID } from 'node:crypto'
import { login } from '@sumlock/contracts/auth-routes'
import { lock } from '@sumlock/contracts/lock-routes'
import { getStorage, registerMedia, requestUpload } from '@sumlock/contracts/media-routes'
import { deleteConversation, listMessages, sendMessage } from '@sumlock/contracts/messaging-routes'
import { Client } from '@sumlock/deployment/api-client'
import { withDatabase } from '@sumlock/testing/database'
import {
  answerOf,
  get,
  openRequest,
  put,
  readSlowly,
  sendMedia,
  someBytes,
  upload,
} from '@sumlock/testing/media'
import { adminPerson, befriend, makePremium, unlock, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'

let stack: RunningStack
let ann: Person
let ben: Person
let eve: Person
let conversationId: string

beforeAll(async () => {
  stack = await sharedStack()
  ;[ann, ben, eve] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack), unlockedPerson(stack)])
  await makePremium(await adminPerson(stack), ann)
  conversationId = (await befriend(ann, ben)).id
})

const media = (mediaUrl: string, clientMessageId?: string) => ({
  body: {
    conversationId,
    messageType: 'image' as const,
    mediaUrl,
    ...(clientMessageId && { clientMessageId }),
  },
})

describe('an upload', () => {
  it('ENT-22 STATE-27 CALL-28 CALL-30 CALL-31: crosses byte for byte to both members, in a message that names its path', async () => {
    const bytes = someBytes(3_000_000)
    const { uploadURL } = await ann.client.ok(requestUpload, {
      body: { size: bytes.length, type: 'image/png' },
    })
    expect(uploadURL).toMatch(new RegExp(`^${stack.gatewayUrl}/api/objects/[\\w-]{24}$`))
    expect(await put(ann.client, uploadURL, bytes)).toMatchObject({ status: 200 })
    const { objectPath } = await ann.client.ok(registerMedia, { body: { mediaUrl: `${uploadURL}?x=1` } })
    expect(uploadURL).toBe(stack.gatewayUrl + objectPath)
    const message = await ann.client.ok(sendMessage, media(uploadURL))
    expect(message).toMatchObject({ mediaUrl: objectPath, messageType: 'image', content: '' })
    const [received] = await ben.client.ok(listMessages, { params: { id: conversationId } })
    expect(received).toMatchObject({ id: message.id, mediaUrl: objectPath })
    for (const { client } of [ann, ben]) {
      const answer = await get(client, objectPath)
      expect(answer.status).toBe(200)
      expect(Buffer.compare(answer.bytes, bytes)).toBe(0)
    }
  })

  it('CALL-29: needs neither body nor size nor CSRF token', async () => {
    const { uploadURL } = await ann.client.ok(requestUpload)
    expect(await put(ann.client, uploadURL, someBytes(10))).toMatchObject({ status: 200 })
  })

  it('is refused in another session, also one of the same person, and to a stranger', async () => {
    const { uploadURL } = await ann.client.ok(requestUpload)
    const elsewhere = { ...ann, client: new Client(stack) }
    await elsewhere.client.ok(login, { body: { username: ann.username, password: ann.password } })
    await unlock(elsewhere)
    for (const { client } of [eve, elsewhere])
      expect(await put(client, uploadURL, someBytes(10))).toMatchObject({ status: 404 })
    const path = new URL(uploadURL).pathname
    for (const client of [ann.client, eve.client]) expect((await get(client, path)).status).toBe(404)
  })

  it('is refused over the declared size and without a length', async () => {
    const { uploadURL } = await ann.client.ok(requestUpload, { body: { size: 100 } })
    expect(await put(ann.client, uploadURL, someBytes(101))).toMatchObject({
      status: 413,
      body: { code: 'body_too_large' },
    })
    const chunked = openRequest(ann.client, 'PUT', uploadURL, { 'transfer-encoding': 'chunked' })
    chunked.end('x')
    expect((await answerOf(chunked))?.statusCode).toBe(411)
    const huge = openRequest(ann.client, 'PUT', uploadURL, { 'content-length': 60_000_001 })
    huge.flushHeaders()
    expect((await answerOf(huge))?.statusCode).toBe(413)
    expect(await put(ann.client, uploadURL, someBytes(0))).toMatchObject({ status: 400 })
  })

  it('replaces the file of the previous upload until the media is registered', async () => {
    const [first, second] = [someBytes(50), someBytes(60)]
    const { uploadURL } = await ann.client.ok(requestUpload)
    const { pathname } = new URL(uploadURL)
    for (const bytes of [first, second])
      expect(await put(ann.client, uploadURL, bytes)).toMatchObject({ status: 200 })
    expect((await get(ann.client, pathname)).bytes).toEqual(Buffer.from(second))
    await ann.client.ok(registerMedia, { body: { mediaUrl: pathname } })
    expect(await put(ann.client, uploadURL, first)).toMatchObject({ status: 404 })
    expect((await get(ann.client, pathname)).bytes).toEqual(Buffer.from(second))
  })

  it('whose connection breaks leaves no file, and can be sent again', async () => {
    const bytes = someBytes(2_000_000)
    const { uploadURL } = await ann.client.ok(requestUpload, { body: { size: bytes.length } })
    const broken = openRequest(ann.client, 'PUT', uploadURL, { 'content-length': bytes.length })
    await new Promise((resolve) => broken.write(bytes.subarray(0, 1_000_000), resolve))
    broken.destroy()
    const { pathname } = new URL(uploadURL)
    expect((await get(ann.client, pathname)).status).toBe(404)
    expect(await put(ann.client, uploadURL, bytes)).toMatchObject({ status: 200 })
    expect(Buffer.compare((await get(ann.client, pathname)).bytes, bytes)).toBe(0)
  })

  it('for a conversation is refused where the message could not be sent', async () => {
    const [free, friend] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
    const { id } = await befriend(free, friend)
    const asked = { body: { conversationId: id } }
    await free.client.ok(requestUpload, asked)
    await free.client.ok(sendMessage, { body: { conversationId: id, content: 'the message of today' } })
    expect(await free.client.call(requestUpload, asked)).toMatchObject({ status: 402 })
    expect(await eve.client.call(requestUpload, asked)).toMatchObject({ status: 404 })
    expect(await free.client.call(requestUpload)).toMatchObject({ status: 201 })
  })
})

describe('a message with media', () => {
  it('takes only what its sender uploaded', async () => {
    const mediaUrl = await upload(eve.client, someBytes(10))
    for (const url of [mediaUrl, `/api/objects/${'a'.repeat(24)}`, 'https://example.com/picture.png'])
      expect(await ann.client.call(sendMessage, media(url))).toMatchObject({
        status: 404,
        body: { code: 'media_not_found' },
      })
  })

  it('is stored once when it is sent again, and its media belong to no other message', async () => {
    const mediaUrl = await upload(ann.client, someBytes(10))
    const again = media(mediaUrl, randomUUID())
    const message = await ann.client.ok(sendMessage, again)
    expect(await ann.client.ok(sendMessage, again)).toEqual(message)
    expect(await ann.client.call(sendMessage, media(mediaUrl, randomUUID()))).toMatchObject({ status: 404 })
    const other = await upload(ann.client, someBytes(10))
    const reused = media(other, again.body.clientMessageId)
    expect(await ann.client.call(sendMessage, reused)).toMatchObject({ status: 409 })
  })

  it('whose media were never uploaded is refused', async () => {
    const { uploadURL } = await ann.client.ok(requestUpload)
    expect(await ann.client.call(sendMessage, media(uploadURL))).toMatchObject({ status: 404 })
  })
})

describe('a read', () => {
  it('is answered as opaque bytes that no browser keeps or interprets', async () => {
    const { mediaUrl } = await sendMedia(ann.client, conversationId, someBytes(10))
    const { headers } = await get(ben.client, mediaUrl)
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-disposition')).toBe('attachment')
  })

  it('returns the requested range', async () => {
    const bytes = someBytes(1000)
    const { mediaUrl } = await sendMedia(ann.client, conversationId, bytes)
    const part = async (range: string) => get(ben.client, mediaUrl, range)
    const middle = await part('bytes=10-19')
    expect(middle.status).toBe(206)
    expect(middle.headers.get('content-range')).toBe('bytes 10-19/1000')
    expect(middle.bytes).toEqual(Buffer.from(bytes.subarray(10, 20)))
    expect((await part('bytes=-5')).bytes).toEqual(Buffer.from(bytes.subarray(995)))
    expect((await part('bytes=1000-')).status).toBe(416)
    expect((await part('bytes=0-1,5-6')).status).toBe(416)
  })

  it('is refused to all but its uploader until it is sent', async () => {
    const { pathname } = new URL(await upload(ann.client, someBytes(10)))
    for (const { client } of [ben, eve]) expect((await get(client, pathname)).status).toBe(404)
    expect((await get(ann.client, pathname)).status).toBe(200)
  })

  it('is refused to a stranger, to nobody, and while locked', async () => {
    const { mediaUrl } = await sendMedia(ann.client, conversationId, someBytes(10))
    expect((await get(eve.client, mediaUrl)).status).toBe(404)
    expect((await fetch(stack.gatewayUrl + mediaUrl)).status).toBe(401)
    await ben.client.ok(lock)
    expect((await get(ben.client, mediaUrl)).status).toBe(423)
    await unlock(ben)
  })

  it('is refused to a member who deleted the conversation, and to both once both have', async () => {
    const cal = await unlockedPerson(stack)
    const { id } = await befriend(ann, cal)
    const { mediaUrl } = await sendMedia(ann.client, id, someBytes(10))
    await ann.client.ok(deleteConversation, { params: { id } })
    expect((await get(ann.client, mediaUrl)).status).toBe(404)
    expect((await get(cal.client, mediaUrl)).status).toBe(200)
    const { usedBytes } = await ann.client.ok(getStorage)
    await cal.client.ok(deleteConversation, { params: { id } })
    await eventually(async () => expect((await get(cal.client, mediaUrl)).status).toBe(404))
    await eventually(async () => expect((await ann.client.ok(getStorage)).usedBytes).toBe(usedBytes - 10))
  })

  it('ends when the reader locks or the conversation is deleted', async () => {
    const [cal, dan] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
    const { id } = await befriend(ann, cal)
    // Some 20 MB can be in the buffers between the store and the reader.
    const bytes = someBytes(55_000_000)
    const mediaUrl = (await sendMedia(ann.client, id, bytes)).mediaUrl
    const again = await sendMedia(ann.client, (await befriend(ann, dan)).id, bytes)
    const [first, second] = [readSlowly(cal.client, mediaUrl), readSlowly(dan.client, again.mediaUrl)]
    await Promise.all([first.hasBegun, second.hasBegun])
    await cal.client.ok(lock)
    await dan.client.ok(deleteConversation, { params: { id: again.conversationId } })
    expect(await first.read).toBeLessThan(bytes.length)
    expect(await second.read).toBeLessThan(bytes.length)
  })

  it('of an upload ends with the lock, and leaves nothing', async () => {
    const cal = await unlockedPerson(stack)
    const { uploadURL } = await cal.client.ok(requestUpload, { body: { size: 1000 } })
    const open = openRequest(cal.client, 'PUT', uploadURL, { 'content-length': 1000 })
    const closed = new Promise((resolve) => open.once('close', resolve))
    await new Promise((resolve) => open.write('the first bytes', resolve))
    await cal.client.ok(lock)
    await closed
    await unlock(cal)
    expect((await get(cal.client, new URL(uploadURL).pathname)).status).toBe(404)
    expect(await put(cal.client, uploadURL, someBytes(1000))).toMatchObject({ status: 200 })
  })
})

describe('the storage', () => {
  it('counts what is reserved, then what is stored', async () => {
    const cal = await unlockedPerson(stack)
    expect(await cal.client.ok(getStorage)).toEqual({ usedBytes: 0, limitBytes: 2_000_000_000 })
    const { uploadURL } = await cal.client.ok(requestUpload)
    expect((await cal.client.ok(getStorage)).usedBytes).toBe(60_000_000)
    await put(cal.client, uploadURL, someBytes(1000))
    expect((await cal.client.ok(getStorage)).usedBytes).toBe(1000)
  })

  it('is never used beyond its limit, however many reservations and uploads come at once', async () => {
    const cal = await unlockedPerson(stack)
    cal.client.keptToken = await cal.client.csrfToken()
    const uploadURL = await upload(cal.client, someBytes(10))
    const { limitBytes } = await cal.client.ok(getStorage)
    await withDatabase(stack, 'messaging', (database) =>
      database
        .collection<{ _id: string }>('mediaUsage')
        .updateOne({ _id: cal.user.id }, { $set: { bytes: limitBytes - 2500 } }),
    )
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => cal.client.call(requestUpload, { body: { size: 1000 } })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
    expect(answers.filter(({ status }) => status === 413)).toHaveLength(8)
    expect(await put(cal.client, uploadURL, someBytes(10))).toMatchObject({ status: 200 })
    expect((await cal.client.ok(getStorage)).usedBytes).toBe(limitBytes - 500)
  })

  it('takes 100 photos that are begun at once, and then refuses to begin more until one is finished', async () => {
    const cal = await unlockedPerson(stack)
    cal.client.keptToken = await cal.client.csrfToken()
    const begin = () => cal.client.call(requestUpload, { body: { size: 1000 } })
    const answers = await Promise.all(Array.from({ length: 110 }, begin))
    const begun = answers.filter(({ status }) => status === 201)
    expect(begun).toHaveLength(100)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.map(({ status }) => status)).toEqual(Array(10).fill(429))
    const [{ headers, body }] = refused as [(typeof refused)[0]]
    expect(body).toMatchObject({
      code: 'too_many_requests',
      error: 'You have 100 unfinished uploads. Please finish one, or try again in 15 minutes.',
    })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(800)
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(900)
    expect(await put(cal.client, begun[0]?.body.uploadURL ?? '', someBytes(1000))).toMatchObject({
      status: 200,
    })
    expect((await begin()).status).toBe(201)
    expect((await cal.client.ok(getStorage)).usedBytes).toBe(101 * 1000)
  })
})
