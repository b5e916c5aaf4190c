import type { Conversation, Message } from '@sumlock/contracts/messaging-routes'
import { createListeners } from '@sumlock/sync/listeners'
import type { SyncClock } from '@sumlock/sync/ports'
import { holdKeys } from './own-keys.ts'
import type { OwnKeys } from './own-keys.ts'
import { createKeyAsker } from './key-asker.ts'
import { createKnownConversations } from './known-conversations.ts'
import type { FetchKeys, SealedRow, StoredRows } from './known-conversations.ts'
import { createKnownKeys } from './known-keys.ts'
import type { KnownKeyBoxes } from './known-keys.ts'
import { isUnsettled } from './look.ts'
import type { Sealable } from './look.ts'
import { createMessageSealer } from './message-sealer.ts'
import type { MessageSealer } from './message-sealer.ts'
import { createOpener } from './open-messages.ts'
import type { PagePresence } from '../device/page-presence.ts'

export interface SealedText extends Omit<MessageSealer, 'forget'> {
  /** Calls back after a change of any `trust`. */
  subscribe(listener: () => void): () => void
  /** Returns undefined while the conversation is not loaded. */
  partnerId(conversationId: string): string | undefined
  /** Returns the epoch of the partner's newest key; 0 if there is none. */
  partnerEpoch(conversationId: string): number
  /** Returns the messages with their opened content. A message that is not sealed stays the same object. */
  open<M extends Sealable>(conversationId: string, messages: readonly M[]): Promise<M[]>
  ownKeys(): Promise<OwnKeys>
  /** Returns the rows with their previews and nicknames opened, even before the list contains them. */
  openList(conversations: readonly Conversation[]): Promise<Conversation[]>
  /** Opens a page of stored messages, and keeps the newest one, which the next sealed message names. */
  openPage(conversationId: string, messages: readonly Message[]): Promise<Message[]>
  /** Must be called when more stored messages of this conversation wait for a key. */
  want(conversationId: string): void
  /** Must be called after the rows of the list have changed. */
  followRows(before: readonly SealedRow[], after: readonly SealedRow[]): void
  /** Fetches the partner's keys; rejects if that fails. */
  refreshKeys(conversationId: string): Promise<void>
  /** Stops fetching keys for waiting messages, and removes the person's own keys. */
  close(): void
}

export interface SealedTextOptions {
  userId: string
  own: Promise<OwnKeys>
  rows: StoredRows
  fetchKeys: FetchKeys
  boxes: KnownKeyBoxes
  clock: SyncClock
  presence: PagePresence
}

/** Nobody waits for this answer on the screen, so the time limit is long. */
const slowAnswerMs = 30_000

/** Seals and opens the text of one person's conversations. Only the rows hold opened content. */
export function createSealedText(options: SealedTextOptions): SealedText {
  const { userId, rows, fetchKeys, boxes, clock, presence } = options
  const own = holdKeys(options.own)
  const conversations = createKnownConversations(rows, fetchKeys)
  const { open, openList, forget: forgetOpener } = createOpener(userId, own, conversations)
  const reopen = (id: string) => rows.reopen(id, (messages) => open(id, messages))
  const ask = async (id: string) => {
    await conversations.refreshKeys(id, slowAnswerMs)
    await reopen(id)
  }
  // A key cannot be stored while the list lacks the row. When the row is added, `follow` requests the key.
  const isWanted = (id: string) => rows.get(id) !== undefined && rows.isWaiting(id)
  const asker = createKeyAsker({ ask, isWaiting: isWanted, clock, presence })
  const knownKeys = createKnownKeys(own, boxes)
  const { forget: forgetTrust, ...sealer } = createMessageSealer({
    userId,
    own,
    conversations,
    knownKeys,
    nowMs: clock.nowMs,
  })
  const follow = ({ id, keys, lastMessage }: SealedRow, former: SealedRow | undefined) => {
    const hasNewKeys = keys !== former?.keys
    const isNews = hasNewKeys || lastMessage?.seq !== former?.lastMessage?.seq
    if (hasNewKeys) conversations.announceKeys(id)
    if (!hasNewKeys && !(lastMessage && isUnsettled(lastMessage))) return
    void reopen(id).then(() => {
      if (isNews && isWanted(id)) asker.want(id)
    })
  }
  const changed = createListeners<[]>()
  sealer.subscribe(changed.emit)
  return {
    ...sealer,
    ownKeys: own.read,
    open,
    openList,
    subscribe: changed.add,
    partnerId: (conversationId) => conversations.get(conversationId)?.partnerId,
    partnerEpoch: (conversationId) => conversations.get(conversationId)?.keys.at(-1)?.epoch ?? 0,
    openPage(conversationId, messages) {
      conversations.noteStored(conversationId, messages)
      return open(conversationId, messages)
    },
    want(conversationId) {
      // The key may have come while these messages were being opened.
      void reopen(conversationId).then(() => {
        if (isWanted(conversationId)) asker.want(conversationId)
      })
    },
    followRows(before, after) {
      const known = new Map(before.map((row) => [row.id, row]))
      for (const row of after) if (row !== known.get(row.id)) follow(row, known.get(row.id))
    },
    refreshKeys: (conversationId) => conversations.refreshKeys(conversationId),
    close() {
      rows.close()
      asker.close()
      own.forget()
      forgetOpener()
      knownKeys.forget()
      forgetTrust()
    },
  }
}
