import { getStorage } from '@sumlock/contracts/media-routes'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import type { Message } from '@sumlock/contracts/messaging-routes'
import type { VanishMs } from '@sumlock/contracts/primitives'
import { get, readSlowly, sendMedia, someBytes, storedObjects, upload } from '@sumlock/testing/media'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'
import { twoPeople } from './acts.ts'

const vanishMs: VanishMs = 300_000
const erasedWithin = { timeoutMs: 60_000, everyMs: 250 }

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

const keyOf = (url: string) => url.slice(-24)

const objectIsGone = ({ client }: Person, url: string) =>
  eventually(async () => {
    expect((await storedObjects(stack)).filter((key) => key.startsWith(keyOf(url)))).toEqual([])
    expect((await client.ok(getStorage)).usedBytes).toBe(0)
  }, erasedWithin)

async function sentFile(size: number) {
  const pair = await twoPeople(stack)
  const sent = await sendMedia(pair.ann.client, pair.id, someBytes(size), { vanishMs })
  const statusFor = async ({ client }: Person) => (await get(client, sent.mediaUrl)).status
  return { ...pair, sent, statusFor }
}

it('a file vanishes for its sender and for its recipient when the time of each is over, and then its object goes', async () => {
  const { ann, ben, sent, statusFor, pass, read } = await sentFile(1000)
  for (const person of [ann, ben]) expect(await statusFor(person)).toBe(200)
  await pass(sent, vanishMs)
  expect(await statusFor(ann)).toBe(404)
  expect(await statusFor(ben)).toBe(200)
  await read(ben, sent)
  expect(await statusFor(ben)).toBe(200)
  await pass(sent, vanishMs)
  expect(await statusFor(ben)).toBe(404)
  await objectIsGone(ann, sent.mediaUrl)
})

it('a read of a file that has begun ends when its time is over for the reader', async () => {
  // Some 20 MB can be in the buffers between the store and the reader.
  const size = 55_000_000
  const { ann, ben, sent, pass } = await sentFile(size)
  const reading = readSlowly(ann.client, sent.mediaUrl)
  await reading.hasBegun
  await pass(sent, vanishMs)
  expect(await reading.read).toBeLessThan(size)
  expect((await get(ben.client, sent.mediaUrl, 'bytes=0-9')).status).toBe(206)
})

it('the file of an original that arrives again after its message has vanished is removed', async () => {
  const { ann, ben, sent, pass, read, stored } = await sentFile(1000)
  await read(ben, sent)
  await pass(sent, vanishMs + 60_000)
  await eventually(async () => expect(await stored()).toMatchObject([{ isVanished: true }]), erasedWithin)
  const again = new URL(await upload(ann.client, someBytes(1000))).pathname
  const { conversationId, clientMessageId }: Message = sent
  const body = { conversationId, clientMessageId, messageType: 'image' as const, mediaUrl: again, vanishMs }
  expect(await ann.client.call(sendMessage, { body })).toMatchObject({
    status: 200,
    body: { mediaUrl: null, isVanished: true },
  })
  expect((await get(ann.client, again)).status).toBe(404)
  await objectIsGone(ann, again)
})
