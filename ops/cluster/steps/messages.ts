import { createHash } from 'node:crypto'
import { listMessages, sendMessage } from '@sumlock/contracts/messaging-routes'
import { get, sendMedia, someBytes } from '@sumlock/testing/media'
import { signInAgain } from '@sumlock/testing/people'
import { connect, nextEvent, nextState } from '@sumlock/testing/socket'
import type { Pair } from './crowd.ts'

/** Sends a message from the first person to the second. It must come over the socket and be in the history. */
export async function sendOne({ people: [sender, reader], conversationId }: Pair, content = 'hello') {
  const live = connect(reader)
  try {
    await nextState(live, ({ connected }) => connected)
    const received = nextEvent(
      live,
      (event) => event.type === 'new_message' && event.data.content === content,
    )
    const sentAt = performance.now()
    const { id } = await sender.client.ok(sendMessage, { body: { conversationId, content } })
    await received
    const toSocketMs = Math.round(performance.now() - sentAt)
    const history = await reader.client.ok(listMessages, { params: { id: conversationId } })
    if (!history.some((message) => message.id === id && message.content === content))
      throw new Error(`The history of the reader lacks the message ${id}.`)
    return { toSocketMs }
  } finally {
    live.close()
  }
}

const text = 'a text'
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export interface SentImage {
  mediaUrl: string
  hash: string
}

/** The first person sends a text and the second one an image, because a free person has one message a day. */
export async function sendBoth(pair: Pair): Promise<SentImage & { toSocketMs: number }> {
  const { toSocketMs } = await sendOne(pair, text)
  const bytes = someBytes(200_000)
  const { mediaUrl } = await sendMedia(pair.people[1].client, pair.conversationId, bytes)
  return { mediaUrl, hash: hashOf(bytes), toSocketMs }
}

/** The first person must find exactly that text and that image, after signing in again, because a restore ends all sessions. */
export async function requireBoth(
  { people: [reader], conversationId }: Pair,
  { mediaUrl, hash }: SentImage,
): Promise<void> {
  await signInAgain(reader)
  const history = await reader.client.ok(listMessages, { params: { id: conversationId } })
  const contents = history.map((message) => message.content)
  if (contents.join() !== `${text},`) throw new Error(`The conversation holds ${JSON.stringify(contents)}.`)
  const image = await get(reader.client, mediaUrl)
  if (hashOf(image.bytes) !== hash)
    throw new Error(`The image was answered with ${image.status}, or was changed.`)
}
