import type { Conversation, Message } from '@sumlock/contracts/messaging-routes'
import type { PublicKey } from '@sumlock/contracts/sealed'
import { createListeners } from '@sumlock/sync/listeners'
import type { Sealable } from './look.ts'

/** The newest stored message that this page has seen. */
export interface NewestMessage {
  readonly seq: number
  readonly by: string
  readonly id: string
}

/** The part of a row of the list that sealing needs. */
export interface SealedRow {
  readonly id: string
  readonly otherUser: { readonly id: string; readonly username: string }
  readonly lastMessage: Sealable | null
  /** All known public keys of the partner, ascending by epoch. */
  readonly keys: readonly PublicKey[]
  readonly newest: NewestMessage | null
}

/** The stored rows of this page. They belong to the list and to the chats. */
export interface StoredRows {
  /** Undefined until the list contains it. */
  get(conversationId: string): SealedRow | undefined
  /** Adds new keys and messages to the row, if there is one. */
  add(conversationId: string, news: RowNews): void
  /** Whether a message of the conversation, or its preview, waits for a key. */
  isWaiting(conversationId: string): boolean
  /** Opens again, in place, all messages that are still closed. */
  reopen(conversationId: string, open: OpenMessages): Promise<void>
}

export type RowNews = Partial<Pick<SealedRow, 'keys' | 'newest'>>
export type OpenMessages = <M extends Sealable>(messages: readonly M[]) => Promise<M[]>

export interface KnownConversation {
  readonly partnerId: string
  readonly partnerName: string
  readonly keys: readonly PublicKey[]
  readonly newest: NewestMessage | null
}

/** Fetches all public keys of the partner from the server; rejects if it cannot. */
export type FetchKeys = (conversationId: string, timeoutMs: number) => Promise<readonly PublicKey[]>

/** A key is never replaced, because a second key for an epoch would be an attack. */
export function withKeys(known: readonly PublicKey[], added: readonly PublicKey[]): readonly PublicKey[] {
  const unknown = added.filter(({ epoch }) => !known.some((key) => key.epoch === epoch))
  return unknown.length === 0 ? known : [...known, ...unknown].toSorted((a, b) => a.epoch - b.epoch)
}

export const newerOf = (a: NewestMessage | null, b: NewestMessage | null): NewestMessage | null =>
  (b?.seq ?? 0) > (a?.seq ?? 0) ? b : a

/** Reads the facts that sealing needs from the row of each conversation. */
export function createKnownConversations(rows: StoredRows, fetchKeys: FetchKeys) {
  const keysChanged = createListeners<[string]>()
  const get = (id: string): KnownConversation | undefined => {
    const row = rows.get(id)
    return row && { ...partnerOf(row), keys: row.keys, newest: row.newest }
  }
  return {
    get,
    /** Returns a conversation whose row may not be in the list yet. */
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
    /** Fetches all keys of the partner. Rejects if there is no answer. */
    async refreshKeys(id: string, timeoutMs = 5000): Promise<void> {
      rows.add(id, { keys: await fetchKeys(id, timeoutMs) })
    },
    /** Calls back with the id of a conversation that is new in the list, or whose partner has a new key. */
    onKeys: keysChanged.add,
    announceKeys: keysChanged.emit,
  }
}

const partnerOf = ({ otherUser: { id, username } }: Pick<SealedRow, 'otherUser'>) => ({
  partnerId: id,
  partnerName: username || 'Unknown User',
})

export type KnownConversations = ReturnType<typeof createKnownConversations>
