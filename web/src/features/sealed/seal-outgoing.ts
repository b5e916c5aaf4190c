import { fromBase64Url } from '@sumlock/sealing/bytes'
import { conversationKey } from '@sumlock/sealing/conversation-key'
import { sealAct } from '@sumlock/sealing/act'
import { sealMessage } from '@sumlock/sealing/message'
import type { MessageBody } from '@sumlock/sealing/message'
import type { OwnKey } from '@sumlock/sealing/own-key'
import type { ReactionAct } from '@sumlock/sync/outbox-acts'
import type { OutgoingAct, OutgoingMessage } from '@sumlock/sync/ports'
import type { Edit } from '@sumlock/sync/shown-conversation'
import type { KnownConversation } from './known-conversations.ts'
import { cleanText } from './message-body.ts'
import { chooseAgain } from './not-sealed-error.ts'

export interface Sender {
  userId: string
  /** This is the sender's newest key. */
  mine: OwnKey | undefined
  nowMs: number
}

type Partner = Pick<KnownConversation, 'partnerId' | 'keys'>

/** Returns the key between the newest keys of both people. */
async function keyFor(conversationId: string, mine: OwnKey | undefined, { partnerId, keys }: Partner) {
  const theirs = keys.at(-1)
  if (!mine || !theirs || !partnerId) throw new Error('There is no key to seal with.')
  const partner = { userId: partnerId, epoch: theirs.epoch, pub: fromBase64Url(theirs.pub) }
  const key = await conversationKey(conversationId, mine, partner)
  return { key, epochs: { from: mine.epoch, to: theirs.epoch } }
}

/** Seals the new content of a message, or a reaction to it, for the newest key of the partner. */
export async function sealContent<A extends Edit | ReactionAct>(
  outgoing: A & { content: string },
  partner: Partner,
  { userId, mine, nowMs }: Sender,
): Promise<OutgoingAct> {
  const { conversationId, clientMessageId: actId, act, target } = outgoing
  const { media, re, vanishMs } = outgoing.act === 'edit' ? outgoing : {}
  const { key, epochs } = await keyFor(conversationId, mine, partner)
  const header = { conversationId, personId: userId, act, actId, target, vanishMs, ...epochs }
  const body = {
    t: cleanText(outgoing.content),
    at: nowMs,
    ...(re && { re }),
    ...(media === undefined ? {} : { media }),
  }
  return { ...outgoing, content: await sealAct(key, header, body), sealed: { v: 1, ...epochs } }
}

/** Seals a message for the newest key of the partner. */
export async function sealOutgoing(
  message: OutgoingMessage,
  { partnerId, keys, newest }: KnownConversation,
  { userId, mine, nowMs }: Sender,
): Promise<OutgoingMessage> {
  const { conversationId, clientMessageId, messageType, vanishMs } = message
  const { key, epochs } = await keyFor(conversationId, mine, { partnerId, keys })
  const file = message.messageType === 'text' ? null : message
  const { mediaUrl = null, media, isOnce } = file ?? {}
  // A file without a description was uploaded unsealed, so the message must not claim to be sealed.
  if (mediaUrl !== null && media === undefined) throw chooseAgain()
  const name = { conversationId, senderId: userId, clientMessageId }
  const envelope = { ...name, messageType, mediaUrl, vanishMs, isOnce, ...epochs }
  const body: MessageBody = { t: cleanText(message.content ?? ''), at: nowMs }
  if (message.re) body.re = message.re
  if (media !== undefined) body.media = media
  if (newest) body.after = { by: newest.by, id: newest.id }
  return { ...message, content: await sealMessage(key, envelope, body), sealed: { v: 1, ...epochs } }
}
