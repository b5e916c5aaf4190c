import { randomUUID } from 'node:crypto'
import { getStorage } from '@sumlock/contracts/media-routes'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import { withDatabase } from '@sumlock/testing/database'
import { get, sendMedia, someBytes, storedObjects, upload } from '@sumlock/testing/media'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import type { MediaRow } from '../src/domain/media.ts'
import { sweepMedia } from '../src/use-cases/sweep-media.ts'
import { twoPeople } from './acts.ts'

let stack: RunningStack
let ctx: Context
beforeAll(async () => {
  stack = await sharedStack()
  ctx = await createContext(readConfig(stack.service('messaging').environment))
})
afterAll(() => ctx?.close())

const keyOf = (url: string) => url.slice(-24)
const rowOf = async (url: string) => (await ctx.media.byKeys([keyOf(url)])).get(keyOf(url))
const uploaded = async ({ client }: Person) => new URL(await upload(client, someBytes(10))).pathname

async function expectGone({ client }: Person, url: string) {
  expect((await get(client, url)).status).toBe(404)
  await eventually(async () => {
    expect((await storedObjects(stack)).filter((key) => key.startsWith(keyOf(url)))).toEqual([])
    expect((await client.ok(getStorage)).usedBytes).toBe(0)
  })
}

/** Sweeps as if the time of a file had come. Returns the row from before. */
async function sweepInTime(url: string): Promise<MediaRow | undefined> {
  const row = await rowOf(url)
  await withDatabase(stack, 'messaging', (database) =>
    database.collection<MediaRow>('media').updateOne({ _id: keyOf(url) }, { $set: { sweepAt: new Date(0) } }),
  )
  await sweepMedia(ctx, ctx.clock.now())
  return row
}

it('the file of a message that was taken back is refused at once, and its object goes before all others', async () => {
  const { ann, ben, id, unsend } = await twoPeople(stack)
  const sent = await sendMedia(ann.client, id, someBytes(1000))
  expect((await get(ben.client, sent.mediaUrl)).status).toBe(200)
  expect(await unsend(ann, sent)).toMatchObject({ status: 201, body: { mediaUrl: null } })
  expect((await get(ben.client, sent.mediaUrl)).status).toBe(404)
  await expectGone(ann, sent.mediaUrl)
})

it('the file of a late original is removed, also when the send is refused before the file is bound', async () => {
  const { ann, id, say, unsend } = await twoPeople(stack, { isFree: true })
  const name = { senderId: ann.user.id, clientMessageId: randomUUID() }
  await say(ann, 'the free one')
  await unsend(ann, name)
  const mediaUrl = await uploaded(ann)
  const late = { conversationId: id, clientMessageId: name.clientMessageId, messageType: 'image' as const }
  expect(await ann.client.call(sendMessage, { body: { ...late, mediaUrl } })).toMatchObject({
    status: 200,
    body: { isUnsent: true },
  })
  await expectGone(ann, mediaUrl)
})

it('an unsend names the file of an original that never arrives', async () => {
  const { ann, ben, act } = await twoPeople(stack)
  const [mediaUrl, others] = [await uploaded(ann), await uploaded(ben)]
  const takeBack = (file: string) =>
    act(ann, {
      ...{ act: 'unsend', target: { by: ann.user.id, id: randomUUID() } },
      ...{ clientMessageId: randomUUID(), mediaUrl: file },
    })
  expect(await takeBack(mediaUrl)).toMatchObject({ status: 201 })
  await expectGone(ann, mediaUrl)
  expect(await takeBack(others)).toMatchObject({ status: 201 })
  expect((await get(ben.client, others)).status).toBe(200)
})

it('an unsend leaves the named file of another message, and a stored message its own', async () => {
  const { ann, ben, id, act } = await twoPeople(stack)
  const sent = await sendMedia(ann.client, id, someBytes(10))
  for (const clientMessageId of [randomUUID(), sent.clientMessageId]) {
    const other = clientMessageId === sent.clientMessageId ? await uploaded(ann) : sent.mediaUrl
    const target = { by: ann.user.id, id: clientMessageId }
    await act(ann, { act: 'unsend', target, clientMessageId: randomUUID(), mediaUrl: other })
    expect((await get(ann.client, other)).status).toBe(200)
  }
  expect((await get(ben.client, sent.mediaUrl)).status).toBe(404)
})

describe('a file that was bound by a process that was killed', () => {
  const boundTo = async (isTakenBack: boolean) => {
    const { ann, id, unsend } = await twoPeople(stack)
    const name = { senderId: ann.user.id, clientMessageId: randomUUID() }
    if (isTakenBack) await unsend(ann, name)
    const mediaUrl = await uploaded(ann)
    expect(await ctx.media.bind(keyOf(mediaUrl), { conversationId: id, ...name }, ctx.clock.now())).toBe(true)
    return { ann, mediaUrl }
  }

  it('is removed within a minute if its message was taken back', async () => {
    const { ann, mediaUrl } = await boundTo(true)
    const row = await sweepInTime(mediaUrl)
    expect(row?.sweepAt?.getTime()).toBeLessThan(Date.now() + 50_000)
    await expectGone(ann, mediaUrl)
  })

  it('is kept for a day or two if its message may still come', async () => {
    const { ann, mediaUrl } = await boundTo(false)
    await sweepInTime(mediaUrl)
    const row = await eventually(async () => {
      const found = await rowOf(mediaUrl)
      expect(found?.sweepAt?.getTime()).toBeGreaterThan(0)
      return found
    })
    expect(row).toMatchObject({ status: 'bound' })
    expect(row?.sweepAt?.getTime()).toBe((row?.createdAt.getTime() ?? 0) + 48 * 3_600_000)
    await withDatabase(stack, 'messaging', (database) =>
      database
        .collection<MediaRow>('media')
        .updateOne({ _id: keyOf(mediaUrl) }, { $set: { createdAt: new Date(Date.now() - 49 * 3_600_000) } }),
    )
    await sweepInTime(mediaUrl)
    await expectGone(ann, mediaUrl)
  })
})
