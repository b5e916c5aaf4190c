import { login } from '@sumlock/contracts/auth-routes'
import { limits } from '@sumlock/contracts/limits'
import { lock } from '@sumlock/contracts/lock-routes'
import { getStorage, registerMedia, requestUpload } from '@sumlock/contracts/media-routes'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import * as s3 from '@sumlock/contracts/s3-routes'
import { Client } from '@sumlock/deployment/api-client'
import { withDatabase } from '@sumlock/testing/database'
import { answerOf, get, openRequest, put, someBytes } from '@sumlock/testing/media'
import { befriend, unlock, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { beginMultipart, completeParts, nameOf, sendPart, sendParts } from '@sumlock/testing/multipart'
import { scrape, sumOf } from '@sumlock/testing/scrape'
import { placesWith, recordRedis } from '@sumlock/testing/search-marks'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'
import type { MediaRow } from '../src/domain/media.ts'
import { signatureOf } from '../src/domain/multipart.ts'

const least = limits.partMinBytes
let stack: RunningStack
let ann: Person
let eve: Person
beforeAll(async () => {
  stack = await sharedStack()
  ;[ann, eve] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
})

const usedBy = async ({ client }: Person) => (await client.ok(getStorage)).usedBytes
const newPerson = async () => {
  const person = await unlockedPerson(stack)
  person.client.keptToken = await person.client.csrfToken()
  return person
}

describe('an upload in parts', () => {
  it('CALL-49 CALL-50 CALL-51 CALL-52 D-60: of 12 MB in three parts becomes a file that a message shows byte for byte', async () => {
    const ben = await unlockedPerson(stack)
    const { id: conversationId } = await befriend(ann, ben)
    const bytes = someBytes(12_000_000)
    const upload = await beginMultipart(ann.client)
    expect(await ann.client.ok(s3.listParts, nameOf(upload))).toEqual([])
    const parts = await sendParts(ann.client, upload, [
      bytes.subarray(0, least),
      bytes.subarray(least, 2 * least),
      bytes.subarray(2 * least),
    ])
    expect(await ann.client.ok(s3.listParts, nameOf(upload))).toEqual(
      parts.map((part, index) => ({ ...part, Size: index < 2 ? least : 12_000_000 - 2 * least })),
    )
    const { location } = await completeParts(ann.client, upload, parts)
    expect(location).toBe(`${stack.gatewayUrl}/api/objects/${upload.key}`)
    const { objectPath } = await ann.client.ok(registerMedia, { body: { mediaUrl: location } })
    const body = { conversationId, messageType: 'image' as const, mediaUrl: location }
    expect(await ann.client.ok(sendMessage, { body })).toMatchObject({ mediaUrl: objectPath })
    expect(Buffer.compare((await get(ben.client, objectPath)).bytes, bytes)).toBe(0)
  })

  it('is completed once: repeated, it has the same answer, and nothing replaces the file', async () => {
    const upload = await beginMultipart(ann.client)
    const bytes = someBytes(10)
    const parts = await sendParts(ann.client, upload, [bytes])
    const signed = await ann.client.ok(s3.signPart, nameOf(upload, 2))
    const answers = [
      await completeParts(ann.client, upload, parts),
      await completeParts(ann.client, upload, parts),
    ]
    expect(answers[1]).toEqual(answers[0])
    for (const url of [signed.url, `/api/objects/${upload.key}`])
      expect(await put(ann.client, url, someBytes(10))).toMatchObject({ status: 404 })
    expect(await ann.client.call(s3.abortMultipart, nameOf(upload))).toMatchObject({ status: 404 })
    expect((await get(ann.client, `/api/objects/${upload.key}`)).bytes).toEqual(Buffer.from(bytes))
  })

  it('LIM-10: has parts of at least 5 MB, but for the last, and at most 10000 of them; it stays open after a refusal', async () => {
    const upload = await beginMultipart(ann.client)
    const parts = await sendParts(ann.client, upload, [someBytes(least - 1), someBytes(10)])
    const complete = (named: typeof parts) =>
      ann.client.call(s3.completeMultipart, { ...nameOf(upload), body: { parts: named } })
    const [first, second] = parts as [(typeof parts)[0], (typeof parts)[0]]
    const refused = { status: 400, body: { code: 'parts_invalid' } }
    expect(await complete(parts)).toMatchObject({
      ...refused,
      body: { error: expect.stringContaining('Part 1 is too small') },
    })
    parts[0] = await sendPart(ann.client, upload, 1, someBytes(least))
    for (const named of [
      [first, second],
      [second, parts[0]],
      [parts[0], parts[0]],
      [parts[0]],
      [...parts, { PartNumber: 3, ETag: second.ETag }],
    ])
      expect(await complete(named)).toMatchObject(refused)
    for (const number of [0, 10_001])
      expect(await ann.client.call(s3.signPart, nameOf(upload, number))).toMatchObject({ status: 400 })
    const last = await sendPart(ann.client, upload, 10_000, someBytes(10))
    expect(await complete([...parts, last])).toMatchObject({ status: 400 })
    await sendPart(ann.client, upload, 2, someBytes(least))
    const named = (await ann.client.ok(s3.listParts, nameOf(upload))).map(({ Size: _, ...part }) => part)
    expect(await complete(named)).toMatchObject({ status: 200 })
  })

  it('CALL-53: is given up with all its parts, and its bytes are free again', async () => {
    const cal = await newPerson()
    const upload = await beginMultipart(cal.client)
    await sendParts(cal.client, upload, [someBytes(1000)])
    const { url } = await cal.client.ok(s3.signPart, nameOf(upload, 2))
    expect(await usedBy(cal)).toBe(1000)
    expect(await cal.client.ok(s3.abortMultipart, nameOf(upload))).toEqual({})
    expect(await put(cal.client, url, someBytes(10))).toMatchObject({ status: 404 })
    expect(await cal.client.call(s3.listParts, nameOf(upload))).toMatchObject({ status: 404 })
    await eventually(async () => expect(await usedBy(cal)).toBe(0))
  })

  it('does not exist for another person, nor under another key, at any call', async () => {
    const upload = await beginMultipart(ann.client)
    const [part] = await sendParts(ann.client, upload, [someBytes(10)])
    const other = await beginMultipart(ann.client)
    const calls = async ({ client }: Person, name: typeof upload) => {
      const of = nameOf(name, 1)
      const completing = { ...of, body: { parts: [part as { PartNumber: number; ETag: string }] } }
      return [
        await client.call(s3.listParts, of),
        await client.call(s3.signPart, of),
        await client.call(s3.completeMultipart, completing),
        await client.call(s3.abortMultipart, of),
      ]
    }
    for (const answer of [
      ...(await calls(eve, upload)),
      ...(await calls(ann, { ...upload, key: other.key })),
      ...(await calls(ann, { ...upload, uploadId: other.uploadId })),
    ])
      expect(answer).toMatchObject({ status: 404, body: { code: 'media_not_found' } })
    expect(await ann.client.ok(s3.listParts, nameOf(upload))).toHaveLength(1)
  })

  it('is refused while locked, at each call', async () => {
    const cal = await newPerson()
    const upload = await beginMultipart(cal.client)
    const { url } = await cal.client.ok(s3.signPart, nameOf(upload, 1))
    await cal.client.ok(lock)
    const body = { parts: [{ PartNumber: 1, ETag: 'x' }] }
    for (const answer of [
      await cal.client.call(s3.createMultipart, { body: {} }),
      await cal.client.call(s3.listParts, nameOf(upload)),
      await cal.client.call(s3.signPart, nameOf(upload, 1)),
      await cal.client.call(s3.completeMultipart, { ...nameOf(upload), body }),
      await cal.client.call(s3.abortMultipart, nameOf(upload)),
      await cal.client.call(s3.getUploadParameters),
      await put(cal.client, url, someBytes(10)),
    ])
      expect(answer.status).toBe(423)
  })

  it('leaves no trace of the name and metadata of its file', async () => {
    const redis = await recordRedis(stack)
    const mark = `holiday-${Date.now()}`
    const body = { filename: `${mark}.png`, type: `image/${mark}`, metadata: { caption: mark } }
    await ann.client.ok(s3.createMultipart, { body })
    await ann.client.ok(s3.getUploadParameters, { query: { filename: mark, 'metadata[caption]': mark } })
    try {
      expect(await placesWith(stack, mark, redis)).toEqual([])
    } finally {
      redis.close()
    }
  })
})

describe('the address of a part', () => {
  it('D-23: is only for the session that asked for it, this number and 15 minutes', async () => {
    const upload = await beginMultipart(ann.client)
    const { url, expires } = await ann.client.ok(s3.signPart, nameOf(upload, 1))
    expect(expires).toBe(900)
    const elsewhere = { ...ann, client: new Client(stack) }
    await elsewhere.client.ok(login, { body: { username: ann.username, password: ann.password } })
    await unlock(elsewhere)
    for (const { client } of [eve, elsewhere])
      expect(await put(client, url, someBytes(10))).toMatchObject({ status: 404 })
    const until = Number(new URL(url).searchParams.get('until'))
    expect(Math.abs(until - Date.now() - 900_000)).toBeLessThan(10_000)
    for (const other of [url.replace('/parts/1', '/parts/2'), url.replace(String(until), String(until + 1))])
      expect(await put(ann.client, other, someBytes(10))).toMatchObject({ status: 404 })
    const past = await withDatabase(stack, 'messaging', async (database) => {
      const row = await database.collection<MediaRow>('media').findOne({ _id: upload.key })
      const address = { sessionId: row?.sessionId ?? '', number: '1', until: String(Date.now() - 1000) }
      return `${new URL(url).pathname}?until=${address.until}&signature=${signatureOf(row?.multipart?.secret ?? '', address)}`
    })
    expect(await put(ann.client, past, someBytes(10))).toMatchObject({ status: 404 })
    expect(await put(ann.client, url, someBytes(10))).toMatchObject({ status: 200 })
  })

  it('D-44: takes no part without a length, and none that is larger than a file can be', async () => {
    const upload = await beginMultipart(ann.client)
    const { url } = await ann.client.ok(s3.signPart, nameOf(upload, 1))
    const chunked = openRequest(ann.client, 'PUT', url, { 'transfer-encoding': 'chunked' })
    chunked.end('x')
    expect((await answerOf(chunked))?.statusCode).toBe(411)
    const huge = openRequest(ann.client, 'PUT', url, { 'content-length': 60_000_001 })
    huge.flushHeaders()
    expect((await answerOf(huge))?.statusCode).toBe(413)
  })
})

describe('the storage of an upload in parts', () => {
  it('counts parts as they arrive; one that is sent again replaces the former one, a broken one counts nothing', async () => {
    const cal = await newPerson()
    const upload = await beginMultipart(cal.client)
    expect(await usedBy(cal)).toBe(0)
    await sendParts(cal.client, upload, [someBytes(3000), someBytes(500)])
    expect(await usedBy(cal)).toBe(3500)
    const small = await sendPart(cal.client, upload, 1, someBytes(1000))
    expect(await usedBy(cal)).toBe(1500)
    const { url } = await cal.client.ok(s3.signPart, nameOf(upload, 2))
    const broken = openRequest(cal.client, 'PUT', url, { 'content-length': 9000 })
    await new Promise((resolve) => broken.write(someBytes(5000), resolve))
    await eventually(async () => expect(await usedBy(cal)).toBe(10_000))
    broken.destroy()
    await eventually(async () => expect(await usedBy(cal)).toBe(1500))
    const parts = await cal.client.ok(s3.listParts, nameOf(upload))
    expect(parts.map(({ Size }) => Size)).toEqual([1000, 500])
    expect(parts[0]?.ETag).toBe(small.ETag)
  })

  it('is never used beyond its limit, however many parts come at once', async () => {
    const cal = await newPerson()
    const upload = await beginMultipart(cal.client)
    const { limitBytes } = await cal.client.ok(getStorage)
    await withDatabase(stack, 'messaging', (database) =>
      database
        .collection<{ _id: string }>('mediaUsage')
        .updateOne({ _id: cal.user.id }, { $set: { bytes: limitBytes - 2500 } }),
    )
    const urls = await Promise.all(
      Array.from({ length: 10 }, (_, index) => cal.client.ok(s3.signPart, nameOf(upload, index + 1))),
    )
    const answers = await Promise.all(urls.map(({ url }) => put(cal.client, url, someBytes(1000))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(answers.filter(({ status, body }) => status === 413 && body.code === 'storage_full')).toHaveLength(
      8,
    )
    expect(await usedBy(cal)).toBe(limitBytes - 500)
    expect(await cal.client.ok(s3.listParts, nameOf(upload))).toHaveLength(2)
  })

  it('holds no more than a file can have, over all parts', async () => {
    const cal = await newPerson()
    const upload = await beginMultipart(cal.client)
    await sendPart(cal.client, upload, 1, someBytes(50_000_000))
    const { url } = await cal.client.ok(s3.signPart, nameOf(upload, 2))
    expect(await put(cal.client, url, someBytes(10_000_001))).toMatchObject({
      status: 413,
      body: { code: 'body_too_large' },
    })
    expect(await usedBy(cal)).toBe(50_000_000)
  })

  it('counts with other uploads: a person has at most 100 that are not finished', async () => {
    const cal = await newPerson()
    const answers = await Promise.all(
      Array.from({ length: 55 }).flatMap(() => [
        cal.client.call(s3.createMultipart, { body: {} }),
        cal.client.call(requestUpload, { body: { size: 10 } }),
      ]),
    )
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(100)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
    expect(await cal.client.call(s3.getUploadParameters)).toMatchObject({ status: 429 })
    const counted = [0, 1].map(async (index) =>
      sumOf(await scrape(stack.service('messaging', index)), 'upload_refusals_total', {
        code: 'too_many_requests',
      }),
    )
    const [first = 0, second = 0] = await Promise.all(counted)
    expect(first + second).toBeGreaterThanOrEqual(11)
  })
})

it('CALL-54: the parameters of a single upload are an address for one PUT, and storage for it', async () => {
  const cal = await newPerson()
  const { url, ...rest } = await cal.client.ok(s3.getUploadParameters, {
    query: { filename: 'picture.png', type: 'image/png' },
  })
  expect(rest).toEqual({
    method: 'PUT',
    fields: {},
    headers: { 'content-type': 'application/octet-stream' },
  })
  expect(await usedBy(cal)).toBe(60_000_000)
  expect(await put(cal.client, url, someBytes(10))).toMatchObject({ status: 200 })
  expect((await get(cal.client, new URL(url).pathname)).bytes).toHaveLength(10)
})

it('D-22: there are no temporary credentials of the store', async () => {
  expect((await ann.client.raw('GET', '/api/s3/sts')).status).toBe(404)
})
