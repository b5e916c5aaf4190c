import type { Conversation, Message } from '@sumlock/contracts/messaging-routes'
import type { PublicKey } from '@sumlock/contracts/sealed'
import { createListeners } from '@sumlock/sync/listeners'

/** The newest stored message that this page has seen. */
export interface NewestMessage {
  seq: number
  by: string
  id: string
}

/** What sealing needs to know of a conversation. */
export interface KnownConversation {
  /** Null until a row of the list has named the partner. */
  readonly partnerId: string | null
  readonly partnerName: string
  /** Public keys of the partner, ascending by epoch. */
  readonly keys: readonly PublicKey[]
  readonly newest: NewestMessage | null
}

/** Reads all public keys of the partner from the server; rejects when it cannot. */
export type FetchKeys = (conversationId: string, timeoutMs: number) => Promise<readonly PublicKey[]>

const unnamed: KnownConversation = { partnerId: null, partnerName: '', keys: [], newest: null }

/**
 * Remembers the partners, their public keys and the newest message of each conversation. Keys and messages may come before
 * the conversation itself.
 */
export function createKnownConversations(fetchKeys: FetchKeys) {
  const known = new Map<string, KnownConversation>()
  /** Those that a row of the list has named. */
  const named = new Set<string>()
  const keysChanged = createListeners<[string]>()

  const change = (id: string, added: Partial<KnownConversation>) =>
    known.set(id, { ...(known.get(id) ?? unnamed), ...added })
  /** False when all of them are known. A key is never replaced: a second one for an epoch would be an attack. */
  const addKeys = (id: string, added: readonly PublicKey[]): boolean => {
    const { keys } = known.get(id) ?? unnamed
    const unknown = added.filter(({ epoch }) => !keys.some((key) => key.epoch === epoch))
    if (unknown.length === 0) return false
    change(id, { keys: [...keys, ...unknown].toSorted((a, b) => a.epoch - b.epoch) })
    return true
  }
  const noteNewest = (id: string, newest: NewestMessage) => {
    if (newest.seq > (known.get(id)?.newest?.seq ?? 0)) change(id, { newest })
  }
  return {
    /** Undefined until a row of the list has named it. */
    get: (id: string): KnownConversation | undefined => (named.has(id) ? known.get(id) : undefined),
    learn({ id, otherUser, lastMessage }: Conversation): void {
      const isFirst = !named.has(id)
      named.add(id)
      change(id, { partnerId: otherUser.id, partnerName: otherUser.username || 'Unknown User' })
      if (lastMessage?.clientMessageId)
        noteNewest(id, { seq: lastMessage.seq, by: lastMessage.senderId, id: lastMessage.clientMessageId })
      const hasNewKeys = addKeys(id, otherUser.keys ?? [])
      if (hasNewKeys || isFirst) keysChanged.emit(id)
    },
    noteStored: ({ conversationId, seq, senderId, clientMessageId }: Message): void =>
      noteNewest(conversationId, { seq, by: senderId, id: clientMessageId }),
    /** Asks the server for all keys of the partner. Rejects when there is no answer. */
    async refreshKeys(id: string, timeoutMs = 5000): Promise<void> {
      if (addKeys(id, await fetchKeys(id, timeoutMs))) keysChanged.emit(id)
    },
    /** Called with the id of a conversation whose partner is known now, or has a new key. */
    onKeys: keysChanged.add,
  }
}

export type KnownConversations = ReturnType<typeof createKnownConversations>
