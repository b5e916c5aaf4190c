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
  /** Null from a server of the release before, which sends no id. */
  partnerId: string | null
  partnerName: string
  /** Public keys of the partner, ascending by epoch. */
  keys: readonly PublicKey[]
  newest: NewestMessage | null
}

/** Reads all public keys of the partner from the server; rejects when it cannot. */
export type FetchKeys = (conversationId: string) => Promise<readonly PublicKey[]>

const askAgainMs = 5000

/** Remembers the partners, their public keys and the newest message of each conversation. */
export function createKnownConversations(fetchKeys: FetchKeys, nowMs: () => number) {
  const known = new Map<string, KnownConversation>()
  const askedAtMs = new Map<string, number>()
  const keysChanged = createListeners<[string]>()

  const addKeys = (id: string, added: readonly PublicKey[]) => {
    const before = known.get(id)
    if (!before) return
    const epochs = new Set(before.keys.map(({ epoch }) => epoch))
    // A key is never replaced: a second one for an epoch would be an attack, and the pin shows a new epoch.
    const unknown = added.filter(({ epoch }) => !epochs.has(epoch))
    if (unknown.length === 0) return
    const keys = [...before.keys, ...unknown].toSorted((a, b) => a.epoch - b.epoch)
    known.set(id, { ...before, keys })
    keysChanged.emit(id)
  }
  const noteNewest = (id: string, newest: NewestMessage) => {
    const before = known.get(id)
    if (before && newest.seq > (before.newest?.seq ?? 0)) known.set(id, { ...before, newest })
  }
  return {
    get: (id: string): KnownConversation | undefined => known.get(id),
    learn({ id, otherUser, lastMessage }: Conversation): void {
      const before = known.get(id)
      known.set(id, {
        partnerId: otherUser.id ?? before?.partnerId ?? null,
        partnerName: otherUser.username || 'Unknown User',
        keys: before?.keys ?? [],
        newest: before?.newest ?? null,
      })
      addKeys(id, otherUser.keys ?? [])
      if (lastMessage?.clientMessageId)
        noteNewest(id, { seq: lastMessage.seq, by: lastMessage.senderId, id: lastMessage.clientMessageId })
    },
    noteStored: ({ conversationId, seq, senderId, clientMessageId }: Message): void =>
      noteNewest(conversationId, { seq, by: senderId, id: clientMessageId }),
    /** Asks the server for all keys of the partner. Rejects when there is no answer. */
    async refreshKeys(id: string): Promise<void> {
      addKeys(id, await fetchKeys(id))
    },
    /** The same, at most every 5 s, for a key that is not known. Never rejects. */
    async refreshUnknown(id: string): Promise<void> {
      const now = nowMs()
      if (now - (askedAtMs.get(id) ?? -Infinity) < askAgainMs) return
      askedAtMs.set(id, now)
      await fetchKeys(id).then(
        (keys) => addKeys(id, keys),
        () => undefined,
      )
    },
    /** Called with the id of the conversation whose partner has a new key. */
    onKeys: keysChanged.add,
  }
}

export type KnownConversations = ReturnType<typeof createKnownConversations>
