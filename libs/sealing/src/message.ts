import { open, seal } from './aes.ts'
import type { Key } from './aes.ts'
import { fields, fromBase64Url, toBase64Url } from './bytes.ts'
import { fromPadded, toPadded } from './padded-body.ts'

/** These fields are authenticated with the content, which does not open if one of them was changed. */
export interface MessageHeader {
  conversationId: string
  senderId: string
  clientMessageId: string
  messageType: string
  /** `from` is the epoch of the sender's key, `to` that of the receiver's key. */
  from: number
  to: number
  mediaUrl?: string | null
  /** The message vanishes after this time; absent if it does not. */
  vanishMs?: number | undefined
  /** The receiver can open the media once only. */
  isOnce?: true | undefined
}

export interface MessageBody {
  t?: string
  /** The message was sealed at this time of the sender's clock (ms). */
  at: number
  /** Names the newest stored message that the sender's client had, by sender and clientMessageId. */
  after?: { by: string; id: string }
  /** The message answers this one. `seq` only helps to find it. */
  re?: { by: string; id: string; seq: number }
  /** The receiver opens and shows the media with these values. */
  media?: unknown
}

const headerData = (header: MessageHeader) => {
  const { conversationId, senderId, clientMessageId, messageType, from, to, mediaUrl, vanishMs, isOnce } =
    header
  const data = [conversationId, senderId, clientMessageId, messageType, from, to, mediaUrl ?? undefined]
  return vanishMs === undefined && !isOnce
    ? fields('message/v1', ...data)
    : fields('message/v2', ...data, vanishMs, isOnce ? 1 : undefined)
}

/** Returns the `content` of a message: the sealed body in base64url, padded so that its size reveals little. */
export async function sealMessage(key: Key, header: MessageHeader, body: MessageBody): Promise<string> {
  return toBase64Url(await seal(key, toPadded(body), headerData(header)))
}

/** Returns the parsed body, whose shape the caller must check. Rejects if it was not sealed with this key and header. */
export async function openMessage(key: Key, header: MessageHeader, content: string): Promise<unknown> {
  return fromPadded(await open(key, fromBase64Url(content), headerData(header)))
}
