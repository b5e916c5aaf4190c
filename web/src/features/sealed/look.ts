import type { Message } from '@sumlock/contracts/messaging-routes'
import { isOneCharacter } from '@sumlock/contracts/one-character'
import type { Sealed } from '@sumlock/contracts/sealed'
import { fromBase64Url } from '@sumlock/sealing/bytes'
import { conversationKey } from '@sumlock/sealing/conversation-key'
import { openAct } from '@sumlock/sealing/act'
import { openMessage } from '@sumlock/sealing/message'
import type { OwnKey } from '@sumlock/sealing/own-key'
import type { MessageName } from '@sumlock/sync/ports'
import type { Edit, Reaction } from '@sumlock/sync/shown-conversation'
import type { KnownConversation } from './known-conversations.ts'
import { toMessageBody } from './message-body.ts'
import type { OpenedBody } from './message-body.ts'
import type { HeldKeys, OwnKeys } from './own-keys.ts'

/** These fields suffice to open a message. The preview in a row of the list has them, too. */
export interface Sealable extends Pick<
  Message,
  'senderId' | 'seq' | 'content' | 'messageType' | 'sealed' | 'edit' | 'vanishMs' | 'isOnce'
> {
  clientMessageId?: string | undefined
  mediaUrl?: string | null | undefined
  /**
   * This is the opened content, or the reason why it is closed. It is absent for a plain message and before the first
   * try.
   */
  readonly look?: Look
  reactions?: (Reaction & { readonly look?: Look })[] | undefined
}

/** States why a sealed message cannot be read on this page. */
export type ClosedReason =
  | 'opening'
  /** The number was not entered in this browser. */
  | 'no-key'
  /** The number was right, but the box of the key did not open. */
  | 'lost-key'
  /** The message was sealed for a former key of this person. */
  | 'former-key'
  /** The partner's key is still missing. */
  | 'waiting'
  | 'damaged'

/** Describes what can be shown of a message. */
export type Look =
  | { readonly state: 'plain' }
  | { readonly state: 'open'; readonly body: OpenedBody }
  | { readonly state: 'closed'; readonly why: ClosedReason }

const plain: Look = { state: 'plain' }
const closed = (why: ClosedReason): Look => ({ state: 'closed', why })
const opening = closed('opening')

/** Returns what can be shown of a stored message or reaction. */
export const lookOf = ({ look, sealed }: Pick<Sealable, 'look' | 'sealed'>): Look => {
  if (sealed) return look ?? opening
  return look?.state === 'closed' ? look : plain
}

const whyClosed = (part: Part) => {
  const look = lookOf(part)
  return look.state === 'closed' ? look.why : undefined
}

type Part = Pick<Sealable, 'look' | 'sealed'>
/** Returns the message and its reactions, each of which is sealed by itself. */
const partsOf = (message: Sealable): Part[] => [message, ...(message.reactions ?? [])]
/** Returns a text that is the same for two messages only if they open in the same way. */
export const nameOf = (message: Sealable): string => {
  const { senderId, clientMessageId, messageType, mediaUrl, content, sealed, edit } = message
  const { vanishMs, isOnce, reactions } = message
  const own = [senderId, clientMessageId, messageType, mediaUrl, sealed, content, edit?.id, vanishMs, isOnce]
  return JSON.stringify([...own, reactions?.map((one) => [one.by, one.id, one.sealed, one.content])])
}

/** Returns whether two looks of the same message show the same. */
export const isSameLook = (a: Look, b: Look): boolean =>
  a.state === b.state && (a.state !== 'closed' || (b.state === 'closed' && a.why === b.why))

/** Returns whether two states of the same message and its reactions show the same. */
export const showsSame = (a: Sealable, b: Sealable): boolean => {
  const parts = partsOf(b)
  return partsOf(a).every((part, index) => isSameLook(lookOf(part), lookOf(parts[index] ?? {})))
}

/** Returns whether a message or a reaction to it waits for a key of the partner. */
export const isWaiting = (message: Sealable): boolean =>
  partsOf(message).some((part) => whyClosed(part) === 'waiting')
/** Returns whether a message or a reaction to it may open at another try. */
export const isUnsettled = (message: Sealable): boolean =>
  isWaiting(message) || partsOf(message).some((part) => whyClosed(part) === 'opening')

/**
 * Opens sealed messages. Nothing that the server states about a message is trusted: with another sender, conversation,
 * id, type or key it does not open.
 */
export function createLook(userId: string, own: HeldKeys) {
  const conversationKeys = createConversationKeys()
  /** Returns the key with which this person has sealed something, or the reason why there is none. */
  const keyOfSealed = async (
    conversationId: string,
    { personId, sealed }: { personId: string; sealed: Sealed },
    known: () => KnownConversation | undefined,
  ): Promise<CryptoKey | ClosedReason> => {
    const isOwn = personId === userId
    const [ownEpoch, partnerEpoch] = isOwn ? [sealed.from, sealed.to] : [sealed.to, sealed.from]
    const mine = await own.read()
    const ownKey = mine.keys.find(({ epoch }) => epoch === ownEpoch)
    if (!ownKey) return whyNoKey(mine, ownEpoch)
    const { partnerId, keys: partnerKeys = [] } = known() ?? {}
    const partnerKey = partnerKeys.find(({ epoch }) => epoch === partnerEpoch)
    if (!partnerKey || partnerId === undefined) return 'waiting'
    return conversationKeys.of(conversationId, ownKey, { userId: partnerId, ...partnerKey })
  }
  const lookInto = async (
    conversationId: string,
    message: Sealable,
    known: () => KnownConversation | undefined,
  ): Promise<Look> => {
    if (!message.sealed) return plain
    const { senderId, content, clientMessageId, messageType, mediaUrl, sealed, edit, vanishMs } = message
    // No message that opens once is edited.
    if (clientMessageId === undefined || (edit && message.isOnce)) return closed('damaged')
    try {
      const key = await keyOfSealed(conversationId, { personId: senderId, sealed }, known)
      if (typeof key === 'string') return closed(key)
      const { from, to } = sealed
      const common = { conversationId, from, to, vanishMs, isOnce: message.isOnce }
      const target = { by: senderId, id: clientMessageId }
      const opened = await (edit
        ? openAct(key, { ...common, personId: senderId, act: 'edit', actId: edit.id, target }, content)
        : openMessage(
            key,
            { ...common, senderId, clientMessageId, messageType, mediaUrl: mediaUrl ?? null },
            content,
          ))
      const body = toMessageBody(opened)
      const hasFile = body?.media !== undefined
      // An edit does not authenticate the type, so the caption of a file could be shown as a text without it.
      const isWhole = messageType === 'text' ? !!body?.t && !(edit && hasFile) : hasFile
      return body && isWhole ? { state: 'open', body } : closed('damaged')
    } catch {
      return closed('damaged')
    }
  }
  const lookIntoReaction = async (
    conversationId: string,
    { reaction, target }: { reaction: Reaction; target: MessageName },
    known: () => KnownConversation | undefined,
  ): Promise<Look> => {
    const { by: personId, id: actId, content, sealed } = reaction
    // Nobody can send a plain reaction to a sealed message, so the server has made this one.
    if (!sealed) return closed('damaged')
    try {
      const key = await keyOfSealed(conversationId, { personId, sealed }, known)
      if (typeof key === 'string') return closed(key)
      const { from, to } = sealed
      const header = { conversationId, personId, act: 'reaction' as const, actId, target, from, to }
      const body = toMessageBody(await openAct(key, header, content))
      return body && isOneCharacter(body.t ?? '') ? { state: 'open', body } : closed('damaged')
    } catch {
      return closed('damaged')
    }
  }
  return { lookInto, lookIntoReaction, forget: conversationKeys.forget }
}

/** Computes the key of each pair of keys once. */
function createConversationKeys() {
  const keys = new Map<string, Promise<CryptoKey>>()
  return {
    of(conversationId: string, mine: OwnKey, partner: { userId: string; epoch: number; pub: string }) {
      const name = `${conversationId} ${mine.epoch} ${partner.epoch}`
      const known =
        keys.get(name) ??
        conversationKey(conversationId, mine, { ...partner, pub: fromBase64Url(partner.pub) })
      keys.set(name, known)
      return known
    },
    forget: () => keys.clear(),
  }
}

function whyNoKey({ keys, lostEpochs }: OwnKeys, epoch: number): ClosedReason {
  if (lostEpochs.includes(epoch)) return 'lost-key'
  const newest = keys.at(-1)?.epoch
  return newest !== undefined && epoch < newest ? 'former-key' : 'no-key'
}

/** Shows the text of an own edit that the server has not applied yet, whether the message is sealed or not. */
export function withEdit<M extends Sealable>(message: M, { content, media, re }: Edit): M {
  const body = { at: 0, t: content, ...(re && { re }), ...(media === undefined ? {} : { media }) }
  return { ...message, content, look: { state: 'open', body } }
}

/** Returns the text of a message; null if it cannot be read on this page. */
export function textOf(look: Look, message: Pick<Message, 'content'>): string | null {
  if (look.state === 'plain') return message.content
  return look.state === 'open' ? (look.body.t ?? '') : null
}
