import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { registerMedia, requestUpload } from '@sumlock/contracts/media-routes'
import { deleteConversation, sendMessage } from '@sumlock/contracts/messaging-routes'
import { waitUntil } from '@sumlock/deployment/wait-until'
import type { Stack } from '@sumlock/dev/product/services'
import { testSeed } from '@sumlock/testing/config'
import { withDatabase } from '@sumlock/testing/database'
import { startTestStack } from '@sumlock/testing/engines'
import { seededRandom } from '@sumlock/testing/faults/seeded-random'
import { get, put, someBytes, storedObjects } from '@sumlock/testing/media'
import { beginMultipart, completeParts, sendPart } from '@sumlock/testing/multipart'
import { adminPerson, befriend, makePremium, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { MediaRow } from '../src/domain/media.ts'
import type { MessageRecord } from '../src/domain/message.ts'
import { jobKinds } from '../src/job-kinds.ts'
import { noteDueEmptying } from '../src/use-cases/empty-for-both.ts'
import { sweepMedia } from '../src/use-cases/sweep-media.ts'

const points = 16
const pairs = 4
const fileBytes = 400_000
const dayMs = 86_400_000
const seed = testSeed()

interface Pair {
  from: Person
  to: Person
  conversationId: string
  /** Returns the hashes of the files that both are shown, by the id of their message. */
  shown: Map<string, string>
}

let stack: Stack
let friends: Pair[]
beforeAll(async () => {
  process.stderr.write(`  seed ${seed}\n`)
  stack = await startTestStack({ replicas: { messaging: 1 } })
  const admin = await adminPerson(stack)
  friends = await Promise.all(
    Array.from({ length: pairs }, async () => {
      const [from, to] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
      await makePremium(admin, from)
      return { from, to, conversationId: (await befriend(from, to)).id, shown: new Map<string, string>() }
    }),
  )
})
afterAll(() => stack?.stop())

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

let repeats = 0
/** Repeats a call until it has an answer, as a client does. */
function untilAnswered<T>(what: string, call: () => Promise<T>): Promise<T> {
  let tries = 0
  return waitUntil(what, async () => {
    if ((tries += 1) > 1) repeats += 1
    return { answer: await call() }
  }).then(({ answer }) => answer)
}

type Bytes = ReturnType<typeof someBytes>

async function uploadWhole({ from: { client }, conversationId }: Pair, bytes: Bytes): Promise<string> {
  const body = { size: fileBytes, conversationId }
  const { uploadURL } = await untilAnswered('the address', () => client.ok(requestUpload, { body }))
  await untilAnswered('the upload', async () => {
    const { status } = await put(client, uploadURL, bytes)
    if (status !== 200) throw new Error(`answered with ${status}`)
  })
  return uploadURL
}

async function uploadInParts({ from: { client } }: Pair, bytes: Bytes): Promise<string> {
  const upload = await untilAnswered('the upload', () => beginMultipart(client))
  const part = await untilAnswered('the part', () => sendPart(client, upload, 1, bytes))
  return (await untilAnswered('the completion', () => completeParts(client, upload, [part]))).location
}

let files = 0
/**
 * Uploads a file (every second one in parts), registers it and sends it. Both members then delete the conversation if
 * the test asks for that.
 */
async function sendFile(pair: Pair, thenClear: boolean): Promise<void> {
  const { from, to, conversationId, shown } = pair
  const bytes = someBytes(fileBytes)
  const clientMessageId = randomUUID()
  const uploadIt = (files += 1) % 2 === 0 ? uploadInParts : uploadWhole
  const mediaUrl = await uploadIt(pair, bytes)
  await untilAnswered('the registration', () => from.client.ok(registerMedia, { body: { mediaUrl } }))
  const message = { conversationId, messageType: 'image' as const, mediaUrl, clientMessageId }
  await untilAnswered('the message', () => from.client.ok(sendMessage, { body: message }))
  shown.set(clientMessageId, hashOf(bytes))
  if (!thenClear) return
  for (const { client } of [from, to])
    await untilAnswered('the deletion', () =>
      client.ok(deleteConversation, { params: { id: conversationId } }),
    )
  shown.clear()
}

/** Runs what a running messaging does within a day. */
async function sweepADayLater(): Promise<void> {
  const { environment } = stack.service('messaging')
  const ctx = await createContext(readConfig({ ...environment, CLOCK_OFFSET_MS: String(2 * dayMs) }))
  try {
    await noteDueEmptying(ctx)
    await ctx.jobs.run(jobKinds(ctx))
    while ((await ctx.media.due(ctx.clock.now(), 1)).length > 0) await sweepMedia(ctx, ctx.clock.now())
  } finally {
    await ctx.close()
  }
}

it(`messaging killed at ${points} random points of upload, register, send and delete leaves no message without its file, no file without a row, and exact usage`, async () => {
  const random = seededRandom(seed)
  const startedAt = performance.now()
  await Promise.all(friends.map((pair) => sendFile(pair, true)))
  const undisturbedMs = performance.now() - startedAt
  repeats = 0
  for (let point = 0; point < points; point += 1) {
    const sending = friends.map((pair) => sendFile(pair, random() < 0.4))
    await wait(random() * undisturbedMs)
    await stack.service('messaging').kill('SIGKILL')
    await stack.service('messaging').start()
    await Promise.all(sending)
  }
  process.stderr.write(`  a round takes ${Math.round(undisturbedMs)} ms; ${repeats} calls were repeated\n`)
  expect(repeats).toBeGreaterThan(points)

  await sweepADayLater()
  const { rows, messages, usage } = await withDatabase(stack, 'messaging', async (database) => ({
    rows: await database.collection<MediaRow>('media').find().toArray(),
    messages: await database
      .collection<MessageRecord>('messages')
      .find({ mediaUrl: { $ne: null } })
      .toArray(),
    usage: await database.collection<{ _id: string; bytes: number }>('mediaUsage').find().toArray(),
  }))
  expect((await storedObjects(stack)).sort()).toEqual(rows.map(({ storeKey }) => storeKey).sort())
  expect(messages.map(({ clientMessageId }) => clientMessageId).sort()).toEqual(
    friends.flatMap(({ shown }) => [...shown.keys()]).sort(),
  )
  expect(messages.map(({ mediaUrl }) => mediaUrl?.slice(-24)).sort()).toEqual(
    rows.map(({ _id }) => _id).sort(),
  )
  for (const { _id, bytes } of usage) {
    const own = rows.filter(({ ownerId }) => ownerId === _id)
    expect(bytes).toBe(own.reduce((sum, row) => sum + row.bytes, 0))
  }
  for (const { to, shown } of friends)
    for (const [id, hash] of shown) {
      const { mediaUrl } = messages.find(({ clientMessageId }) => clientMessageId === id) ?? {}
      expect(hashOf((await get(to.client, mediaUrl ?? '')).bytes)).toBe(hash)
    }
}, 300_000)
