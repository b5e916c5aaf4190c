import type { Message } from '@sumlock/contracts/messaging-routes'
import { fromBase64Url } from '@sumlock/sealing/bytes'
import { conversationKey } from '@sumlock/sealing/conversation-key'
import { openMessage } from '@sumlock/sealing/message'
import type { OwnKey } from '@sumlock/sealing/own-key'
import { createListeners } from '@sumlock/sync/listeners'
import type { OwnKeys } from './own-keys.ts'
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
  /** Its look was given away, so that its reader must be told of another one. */
  isShown: boolean
  /** Until it ends; waiting for a key is an end. */
  opening?: Promise<void> | undefined
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
  /** One more message of this conversation waits for a key of the partner. */
  onWaiting: (conversationId: string) => void
}

/**
 * Opens sealed messages, each once, and keeps what they say in memory. Nothing is trusted that the server says of a message:
 * with another sender, conversation, id, type or key it does not open.
 */
export function createMessageOpener({ userId, own, conversations, onWaiting }: MessageOpenerOptions) {
  const byMessage = new WeakMap<Sealable, Entry>()
  const byName = new Map<string, Entry>()
  const waiting = new Map<string, Set<Entry>>()
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
    if (!sealed || clientMessageId === undefined) return closed('damaged')
    const isOwn = senderId === userId
    const [ownEpoch, partnerEpoch] = isOwn ? [sealed.from, sealed.to] : [sealed.to, sealed.from]
    const mine = await own
    const ownKey = mine.keys.find(({ epoch }) => epoch === ownEpoch)
    if (!ownKey) return closed(whyNoKey(mine, ownEpoch))
    const { partnerId, keys: partnerKeys = [] } = conversations.get(conversationId) ?? {}
    const partnerKey = partnerKeys.find(({ epoch }) => epoch === partnerEpoch)
    if (!partnerKey || !partnerId) return closed('waiting')
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
  /** A look that was given away has changed. */
  let hasNews = false
  const tell = () => {
    if (!hasNews) return
    hasNews = false
    changed.emit()
  }
  const setLook = (entry: Entry, look: Look) => {
    const { conversationId } = entry
    const ofConversation = waiting.get(conversationId) ?? new Set()
    waiting.set(conversationId, ofConversation)
    if (!isWaiting(look)) ofConversation.delete(entry)
    // It waits as before.
    else if (ofConversation.has(entry)) return
    else ofConversation.add(entry)
    entry.look = look
    hasNews ||= entry.isShown
    if (isWaiting(look)) onWaiting(conversationId)
  }
  const openEntry = async (entry: Entry): Promise<void> => {
    const { conversationId, message } = entry
    let known
    let look: Look
    do {
      known = conversations.get(conversationId)
      look = await lookInto(conversationId, message)
      // A key may have come meanwhile.
    } while (isWaiting(look) && conversations.get(conversationId) !== known)
    entry.opening = undefined
    setLook(entry, look)
  }
  const opened = (entry: Entry): Promise<void> => (entry.opening ??= openEntry(entry))
  const add = (conversationId: string, message: Sealable): Entry => {
    const entry: Entry = { conversationId, message, look: opening, isShown: false }
    byMessage.set(message, entry)
    byName.set(nameOf(conversationId, message), entry)
    return entry
  }
  const openAll = async (entries: readonly Entry[]) => {
    await Promise.all(entries.map(opened))
    tell()
  }
  const open = async (conversationId: string, messages: readonly Sealable[]): Promise<void> => {
    const sealed = messages.filter((message) => message.sealed)
    const entries = sealed.map((message) => entryOf(conversationId, message) ?? add(conversationId, message))
    await openAll(entries.filter(isUnsettled))
  }
  const reopen = (conversationId: string) => openAll([...(waiting.get(conversationId) ?? [])])
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
      const known = entryOf(conversationId, message)
      const entry = known ?? add(conversationId, message)
      entry.isShown = true
      if (!known) void open(conversationId, [message])
      return entry.look
    },
    isWaiting: (conversationId: string): boolean => (waiting.get(conversationId)?.size ?? 0) > 0,
    /** Opens what waits for a key, as far as it is known now. */
    reopen,
    subscribe: changed.add,
  }
}

const isWaiting = (look: Look) => look.state === 'closed' && look.why === 'waiting'

/** A message that waits for a key is tried again whenever it comes along. */
const isUnsettled = ({ look }: Entry) => look === opening || isWaiting(look)

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
