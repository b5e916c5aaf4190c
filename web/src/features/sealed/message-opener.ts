import { createListeners } from '@sumlock/sync/listeners'
import type { KnownConversations } from './known-conversations.ts'
import { closed, createLook, plain } from './look.ts'
import type { Look, Sealable } from './look.ts'
import type { OwnKeys } from './own-keys.ts'

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
  const changed = createListeners<[]>()

  const lookInto = createLook({ userId, own, conversations })
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
    const look = await lookUntilKnown(entry, lookInto, conversations)
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

/** Looks again when a key has come during the look. */
async function lookUntilKnown(
  entry: Entry,
  lookInto: ReturnType<typeof createLook>,
  conversations: KnownConversations,
): Promise<Look> {
  const { conversationId, message } = entry
  const known = conversations.get(conversationId)
  const look = await lookInto(conversationId, message)
  const isOutdated = isWaiting(look) && conversations.get(conversationId) !== known
  return isOutdated ? lookUntilKnown(entry, lookInto, conversations) : look
}

const isWaiting = (look: Look) => look.state === 'closed' && look.why === 'waiting'

/** A message that waits for a key is tried again whenever it comes along. */
const isUnsettled = ({ look }: Entry) => look === opening || isWaiting(look)

export type MessageOpener = ReturnType<typeof createMessageOpener>
