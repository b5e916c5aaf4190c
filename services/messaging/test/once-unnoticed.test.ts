import { setConversationPreferences } from '@sumlock/contracts/conversation-state-routes'
import type { Message } from '@sumlock/contracts/messaging-routes'
import { abortMultipart, completeMultipart } from '@sumlock/contracts/s3-routes'
import { withDatabase } from '@sumlock/testing/database'
import { storedObjects } from '@sumlock/testing/media'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'
import type { MediaRow } from '../src/domain/media.ts'
import { onceFriends } from './once.ts'

const uploadId = 'u'.repeat(24)
const erasedWithin = { timeoutMs: 60_000, everyMs: 250 }

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

const whatItSays = ({ id: _, conversationId: _c, senderId: _s, createdAt: _t, ...rest }: Message) => ({
  ...rest,
  clientMessageId: '',
})

it('the sender of a message that opens once learns nothing of its opening when it is taken back or its upload repeated', async () => {
  const { ann, ben, sendOnce, open, close, rowOf, keyOf, unsend, history } = await onceFriends(stack)
  await ben.client.ok(setConversationPreferences, { body: { showsRead: false } })
  const send = async () => {
    const once = await sendOnce()
    const key = keyOf(once)
    await withDatabase(stack, 'messaging', (database) =>
      database
        .collection<MediaRow>('media')
        .updateOne({ _id: key }, [{ $set: { multipart: { uploadId, storeKey: '$storeKey' } } }]),
    )
    return { once, key }
  }
  const foundOut = async ({ once, key }: Awaited<ReturnType<typeof send>>) => {
    const upload = { params: { uploadId }, query: { key } }
    const body = { parts: [{ PartNumber: 1, ETag: 'one' }] }
    const aborted = await ann.client.call(abortMultipart, upload)
    const completed = await ann.client.call(completeMultipart, { ...upload, body })
    const taken = await unsend(ann, once)
    const shown = (await history(ann)).find(({ seq }) => seq === once.seq)
    return {
      answers: [aborted.status, completed.status, taken.status],
      shown: [taken.body, shown].map((one) => ({ ...whatItSays(one as Message), seq: 0, version: 0 })),
    }
  }
  const unopened = await foundOut(await send())
  expect(unopened.answers).toEqual([404, 200, 201])
  const sent = await send()
  await open(ben, sent.once)
  await close(ben, sent.once)
  await eventually(async () => {
    expect(await rowOf(sent.once)).toMatchObject({ isVanished: true })
    expect((await storedObjects(stack)).filter((name) => name.startsWith(sent.key))).toEqual([])
  }, erasedWithin)
  expect(await foundOut(sent)).toEqual(unopened)
})
