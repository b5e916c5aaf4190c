import type { Conversation, Message } from '@sumlock/contracts/messaging-routes'
import { createListeners } from '@sumlock/sync/listeners'
import type { SyncClock } from '@sumlock/sync/ports'
import type { OwnKeys } from './own-keys.ts'
import { createKeyAsker } from './key-asker.ts'
import { createKnownConversations } from './known-conversations.ts'
import type { FetchKeys } from './known-conversations.ts'
import { createKnownKeys } from './known-keys.ts'
import type { KnownKeyBoxes } from './known-keys.ts'
import { createMessageOpener } from './message-opener.ts'
import type { MessageOpener } from './message-opener.ts'
import { createMessageSealer } from './message-sealer.ts'
import type { MessageSealer } from './message-sealer.ts'
import type { PagePresence } from '../device/page-presence.ts'

export interface SealedText
  extends Omit<MessageOpener, 'subscribe' | 'isWaiting' | 'reopen'>, Omit<MessageSealer, 'subscribe'> {
  /** Called after a change of any `look` or `trust`. */
  subscribe(listener: () => void): () => void
  /** Increases with every such change. */
  version(): number
  /** Undefined while the conversation is not known. */
  partnerId(conversationId: string): string | null | undefined
  /** The epoch of the partner's newest key; 0 when none is known. */
  partnerEpoch(conversationId: string): number
  /** Learns partners, keys and newest messages from rows of the list, and opens their previews. */
  takeList(conversations: readonly Conversation[]): Promise<void>
  /** Opens stored messages before they are shown. */
  takeMessages(conversationId: string, messages: readonly Message[]): Promise<void>
  /** Asks the server for the partner's keys; rejects without an answer. */
  refreshKeys(conversationId: string): Promise<void>
  /** Stops asking for keys that messages wait for. */
  close(): void
}

export interface SealedTextOptions {
  userId: string
  own: Promise<OwnKeys>
  fetchKeys: FetchKeys
  boxes: KnownKeyBoxes
  clock: SyncClock
  presence: PagePresence
}

/** A waiting message has nobody who waits for the answer: a slow one is better than none. */
const slowAnswerMs = 30_000

/** Seals and opens the text of one person's conversations. */
export function createSealedText(options: SealedTextOptions): SealedText {
  const { userId, own, fetchKeys, boxes, clock, presence } = options
  const conversations = createKnownConversations(fetchKeys)
  const { isWaiting, reopen, ...opener } = createMessageOpener({
    ...{ userId, own, conversations },
    onWaiting: (id) => asker.want(id),
  })
  const ask = async (id: string) => {
    await conversations.refreshKeys(id, slowAnswerMs)
    await reopen(id)
  }
  const asker = createKeyAsker({ ask, isWaiting, clock, presence })
  const knownKeys = createKnownKeys(own, boxes)
  const sealer = createMessageSealer({ userId, own, conversations, knownKeys, nowMs: clock.nowMs })
  const changed = createListeners<[]>()
  let version = 0
  const onChange = () => {
    version += 1
    changed.emit()
  }
  opener.subscribe(onChange)
  sealer.subscribe(onChange)
  return {
    ...opener,
    ...sealer,
    subscribe: changed.add,
    version: () => version,
    partnerId: (conversationId) => conversations.get(conversationId)?.partnerId,
    partnerEpoch: (conversationId) => conversations.get(conversationId)?.keys.at(-1)?.epoch ?? 0,
    async takeList(list) {
      for (const conversation of list) conversations.learn(conversation)
      await Promise.all(list.map(({ id, lastMessage }) => opener.open(id, lastMessage ? [lastMessage] : [])))
    },
    async takeMessages(conversationId, messages) {
      for (const message of messages) conversations.noteStored(message)
      await opener.open(conversationId, messages)
    },
    refreshKeys: (conversationId) => conversations.refreshKeys(conversationId),
    close: asker.close,
  }
}
