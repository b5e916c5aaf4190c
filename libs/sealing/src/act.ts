import { open, seal } from './aes.ts'
import type { Key } from './aes.ts'
import { fields, fromBase64Url, toBase64Url } from './bytes.ts'
import type { MessageBody } from './message.ts'
import { fromPadded, toPadded } from './padded-body.ts'

/** These fields are authenticated with the content of an act, so that nobody can aim it at another message. */
export interface ActHeader {
  conversationId: string
  /** This person changes the message. */
  personId: string
  act: 'edit' | 'reaction'
  /** The clientMessageId of the act, which a changed message names as `edit.id` or with its reaction. */
  actId: string
  /** The sender and the clientMessageId of the message. */
  target: { by: string; id: string }
  /** `from` is the epoch of the person's key, `to` that of the other member's key. */
  from: number
  to: number
  /** An edited message vanishes after this time; absent if it does not, and with a reaction. */
  vanishMs?: number | undefined
}

/** An act does not name the newest stored message, because it has no place in the order of messages. */
export type ActContent = Omit<MessageBody, 'after'>

const headerData = ({ conversationId, personId, act, actId, target, from, to, vanishMs }: ActHeader) => {
  const data = [conversationId, personId, act, actId, target.by, target.id, from, to]
  return vanishMs === undefined ? fields('act/v1', ...data) : fields('act/v2', ...data, vanishMs)
}

/** Returns the `content` of an act: the sealed body in base64url, padded like that of a message. */
export async function sealAct(key: Key, header: ActHeader, body: ActContent): Promise<string> {
  return toBase64Url(await seal(key, toPadded(body), headerData(header)))
}

/** Returns the parsed body, whose shape the caller must check. Rejects if it was not sealed with this key and header. */
export async function openAct(key: Key, header: ActHeader, content: string): Promise<unknown> {
  return fromPadded(await open(key, fromBase64Url(content), headerData(header)))
}
