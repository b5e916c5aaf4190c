import type { Conversation, Message } from '@sumlock/contracts/messaging-routes'
import type { PublicKey } from '@sumlock/contracts/sealed'
import { createListeners } from '@sumlock/sync/listeners'
import type { Sealable } from './look.ts'

/** Names the newest stored message that this page has received. */
export interface NewestMessage {
  readonly seq: number
  readonly by: string
  readonly id: string
}

/** Describes the part of a list row that sealing needs. */
export interface SealedRow {
  readonly id: string
  readonly otherUser: { readonly id: string; readonly username: string }
  readonly lastMessage: Sealable | null
  /** These are all known public keys of the partner, in ascending order of epoch. */
  readonly keys: readonly PublicKey[]
  readonly newest: NewestMessage | null
}

/** Gives access to the rows of the list and of the chats, which other code owns. */
export interface StoredRows {
  /** Returns the row of a conversation; undefined until the list contains it. */
  get(conversationId: string): SealedRow | undefined
  /** Adds new keys or a newer message to the row, if the list contains it. */
  add(conversationId: string, news: RowNews): void
  /** Returns whether a message of the conversation, or its preview, waits for a key. */
  isWaiting(conversationId: string): boolean
  /** Tries to open all messages that are still closed, and replaces them in the store. */
  reopen(conversationId: string, open: OpenMessages): Promise<void>
  /** Ends all changes, because the rows may soon belong to another person. */
  close(): void
}

export type RowNews = Partial<Pick<SealedRow, 'keys' | 'newest'>>
export type OpenMessages = <M extends Sealable>(messages: readonly M[]) => Promise<M[]>

export interface KnownConversation {
  readonly partnerId: string
  readonly partnerName: string
  readonly keys: readonly PublicKey[]
  readonly newest: NewestMessage | null
}

/** Fetches all public keys of the partner from the server; rejects if that fails. */
export type FetchKeys = (conversationId: string, timeoutMs: number) => Promise<readonly PublicKey[]>

/**
 * Adds keys of epochs that are not known yet. A known key is never replaced, because a second key for an epoch would be
 * an attack.
 */
export function withKeys(known: readonly PublicKey[], added: readonly PublicKey[]): readonly PublicKey[] {
  const unknown = added.filter(({ epoch }) => !known.some((key) => key.epoch === epoch))
  return unknown.length === 0 ? known : [...known, ...unknown].toSorted((a, b) => a.epoch - b.epoch)
}

export const newerOf = (a: NewestMessage | null, b: NewestMessage | null): NewestMessage | null =>
  (b?.seq ?? 0) > (a?.seq ?? 0) ? b : a

/** Reads what sealing needs from the rows of the conversations. */
export function createKnownConversations(rows: StoredRows, fetchKeys: FetchKeys) {
  const keysChanged = createListeners<[string]>()
  const get = (id: string): KnownConversation | undefined => {
    const row = rows.get(id)
    return row && { ...partnerOf(row), keys: row.keys, newest: row.newest }
  }
  return {
    get,
    /** Returns a conversation whose row may not be in the list yet, such as a row that was just fetched. */
    getOf(row: Conversation): KnownConversation {
      const { keys = [], newest = null } = get(row.id) ?? {}
      return { ...partnerOf(row), keys: withKeys(keys, row.otherUser.keys ?? []), newest }
    },
    noteStored(conversationId: string, messages: readonly Message[]): void {
      const last = messages.at(-1)
      if (!last || last.seq <= (rows.get(conversationId)?.newest?.seq ?? 0)) return
      rows.add(conversationId, {
        newest: { seq: last.seq, by: last.senderId, id: last.clientMessageId },
      })
    },
    /** Fetches all keys of the partner. Rejects if that fails. */
    async refreshKeys(id: string, timeoutMs = 5000): Promise<void> {
      rows.add(id, { keys: await fetchKeys(id, timeoutMs) })
    },
    /** Calls back with the id of a conversation that is new in the list or whose partner has a new key. */
    onKeys: keysChanged.add,
    announceKeys: keysChanged.emit,
  }
}

const partnerOf = ({ otherUser: { id, username } }: Pick<SealedRow, 'otherUser'>) => ({
  partnerId: id,
  partnerName: username || 'Unknown User',
})

export type KnownConversations = ReturnType<typeof createKnownConversations>
