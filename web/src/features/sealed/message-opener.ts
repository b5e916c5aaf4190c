import type { Message } from '@sumlock/contracts/messaging-routes'
import { fromBase64Url } from '@sumlock/sealing/bytes'
import { conversationKey } from '@sumlock/sealing/conversation-key'
import { openMessage } from '@sumlock/sealing/message'
import type { OwnKey } from '@sumlock/sealing/own-key'
import { createListeners } from '@sumlock/sync/listeners'
import type { OwnKeys } from '../keys/own-keys.ts'
import type { KnownConversations } from './known-conversations.ts'
import { toMessageBody } from './message-body.ts'
import type { OpenedBody } from './message-body.ts'

/** What opening needs of a message; the newest message of a row of the list has no more. */
export interface Sealable extends Pick<Message, 'senderId' | 'seq' | 'content' | 'messageType' | 'sealed'> {
  clientMessageId?: string | undefined
  mediaUrl?: string | null | undefined
}

/** Why a sealed message cannot be read here. */
export type ClosedReason =
  | 'opening'
  /** This browser has not seen the number. */
  | 'no-key'
  /** The number was right, and its box did not open. */
  | 'lost-key'
  /** Sealed for a key that this person had before. */
  | 'former-key'
  /** The partner's key is not known yet. */
  | 'waiting'
  | 'damaged'

/** What can be shown of a message. */
export type Look =
  | { readonly state: 'plain' }
  | { readonly state: 'open'; readonly body: OpenedBody }
  | { readonly state: 'closed'; readonly why: ClosedReason }

const plain: Look = { state: 'plain' }
const closed = (why: ClosedReason): Look => ({ state: 'closed', why })
const opening = closed('opening')

interface Entry {
  conversationId: string
  message: Sealable
  look: Look
  opened?: Promise<void>
}

const nameOf = (conversationId: string, message: Sealable) => {
  const { senderId, clientMessageId, messageType, mediaUrl, content, sealed } = message
  return [
    conversationId,
    senderId,
    clientMessageId,
    messageType,
    mediaUrl,
    sealed?.from,
    sealed?.to,
    content,
  ].join(' ')
}

export interface MessageOpenerOptions {
  userId: string
  own: Promise<OwnKeys>
  conversations: KnownConversations
}

/**
 * Opens sealed messages, each once, and keeps what they say in memory. Nothing is trusted that the server says of a message:
 * with another sender, conversation, id, type or key it does not open.
 */
export function createMessageOpener({ userId, own, conversations }: MessageOpenerOptions) {
  const byMessage = new WeakMap<Sealable, Entry>()
  const byName = new Map<string, Entry>()
  const keys = new Map<string, Promise<CryptoKey>>()
  const changed = createListeners<[]>()

  const keyOf = (
    conversationId: string,
    mine: OwnKey,
    partner: { userId: string; epoch: number; pub: string },
  ) => {
    const name = `${conversationId} ${mine.epoch} ${partner.epoch}`
    const known =
      keys.get(name) ?? conversationKey(conversationId, mine, { ...partner, pub: fromBase64Url(partner.pub) })
    keys.set(name, known)
    return known
  }
  const lookInto = async (conversationId: string, message: Sealable): Promise<Look> => {
    const { senderId, content, clientMessageId, messageType, mediaUrl, sealed } = message
    const { partnerId, keys: partnerKeys = [] } = conversations.get(conversationId) ?? {}
    if (!sealed || clientMessageId === undefined) return closed('damaged')
    const isOwn = senderId === userId
    const [ownEpoch, partnerEpoch] = isOwn ? [sealed.from, sealed.to] : [sealed.to, sealed.from]
    const mine = await own
    const ownKey = mine.keys.find(({ epoch }) => epoch === ownEpoch)
    if (!ownKey) return closed(whyNoKey(mine, ownEpoch))
    const partnerKey = partnerKeys.find(({ epoch }) => epoch === partnerEpoch)
    if (!partnerKey || !partnerId) {
      void conversations.refreshUnknown(conversationId)
      return closed('waiting')
    }
    try {
      const key = await keyOf(conversationId, ownKey, { userId: partnerId, ...partnerKey })
      const envelope = { conversationId, senderId, clientMessageId, messageType, mediaUrl: mediaUrl ?? null }
      const { from, to } = sealed
      const body = toMessageBody(await openMessage(key, { ...envelope, from, to }, content))
      const isWhole = messageType === 'text' ? !!body?.t : body?.media !== undefined
      return body && isWhole ? { state: 'open', body } : closed('damaged')
    } catch {
      return closed('damaged')
    }
  }
  const entryOf = (conversationId: string, message: Sealable): Entry | undefined => {
    const known = byMessage.get(message) ?? byName.get(nameOf(conversationId, message))
    if (known) byMessage.set(message, known)
    return known
  }
  /** Whether a look at an unopened message was given away, so that its reader must be told. */
  let isAwaited = false
  const openEntry = (entry: Entry): Promise<void> =>
    (entry.opened = lookInto(entry.conversationId, entry.message).then((look) => {
      entry.look = look
    }))
  const add = (conversationId: string, message: Sealable): Entry => {
    const entry: Entry = { conversationId, message, look: opening }
    byMessage.set(message, entry)
    byName.set(nameOf(conversationId, message), entry)
    return entry
  }
  const open = async (conversationId: string, messages: readonly Sealable[]): Promise<void> => {
    const sealed = messages.filter((message) => message.sealed)
    if (sealed.length === 0) return
    await Promise.all(
      sealed.map((message) => {
        const entry = entryOf(conversationId, message)
        return isSettled(entry) ? entry.opened : openEntry(entry ?? add(conversationId, message))
      }),
    )
    if (!isAwaited) return
    isAwaited = false
    changed.emit()
  }
  const reopen = async (conversationId: string) => {
    const waiting = [...byName.values()].filter(
      (entry) =>
        entry.conversationId === conversationId &&
        entry.look.state === 'closed' &&
        entry.look.why === 'waiting',
    )
    if (waiting.length === 0) return
    await Promise.all(waiting.map(openEntry))
    changed.emit()
  }
  conversations.onKeys((conversationId) => void reopen(conversationId))

  return {
    /** Opens what is not open yet; afterwards `look` answers at once. */
    open,
    /** Opens one message without keeping what it says. */
    read: (conversationId: string, message: Sealable): Promise<Look> =>
      message.sealed ? lookInto(conversationId, message) : Promise.resolve(plain),
    /** The same object until it changes. A message that was never opened is opened now, and `subscribe` tells when. */
    look(conversationId: string, message: Sealable): Look {
      if (!message.sealed) return plain
      const entry = entryOf(conversationId, message)
      if (!entry) void open(conversationId, [message])
      const { look } = entry ?? { look: opening }
      if (look === opening) isAwaited = true
      return look
    },
    subscribe: changed.add,
  }
}

/** A message that waits for a key is tried again whenever it comes along. */
const isSettled = (entry: Entry | undefined): entry is Entry & { opened: Promise<void> } =>
  entry?.opened !== undefined && !(entry.look.state === 'closed' && entry.look.why === 'waiting')

export type MessageOpener = ReturnType<typeof createMessageOpener>

function whyNoKey({ keys, lostEpochs }: OwnKeys, epoch: number): ClosedReason {
  if (lostEpochs.includes(epoch)) return 'lost-key'
  const newest = keys.at(-1)?.epoch
  return newest !== undefined && epoch < newest ? 'former-key' : 'no-key'
}

/** The text of a message; null when it cannot be read here. */
export function textOf(look: Look, message: Pick<Message, 'content'>): string | null {
  if (look.state === 'plain') return message.content
  return look.state === 'open' ? (look.body.t ?? '') : null
}
