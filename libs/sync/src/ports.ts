import type { Message } from '@sumlock/contracts/messaging-routes'
import type { VanishMs } from '@sumlock/contracts/primitives'
import type { Sealed } from '@sumlock/contracts/sealed'
import type { HandshakeRefusal, ServerEvent } from '@sumlock/contracts/socket'

export type Draft = {
  /** The message answers this one, which only the sealed body names. */
  re?: ReplyTo | undefined
  /** The message vanishes after this time; absent if it does not. */
  vanishMs?: VanishMs | undefined
} & (
  | { messageType: 'text'; content: string }
  | {
      messageType: 'image' | 'video' | 'voice'
      mediaUrl: string
      content?: string
      /** Describes a sealed file, including its key. It is sent only inside the sealed body. */
      media?: unknown
      /** The receiver can open the file once. */
      isOnce?: true | undefined
    }
)

/** Adds the conversation and the id under which the server stores the message at most once. */
export type OutgoingMessage = Draft & {
  conversationId: string
  clientMessageId: string
  /** The keys with these epochs sealed `content`; absent on plain text. */
  sealed?: Sealed
}

/** Names a message by its sender and its clientMessageId, so that it has a name before it is stored. */
export interface MessageName {
  by: string
  id: string
}

/** Names a stored message that another one answers. The name decides; `seq` only helps to find the message. */
export interface ReplyTo extends MessageName {
  seq: number
}

/** Changes a message that is stored, or still waits in the outbox. `clientMessageId` is the id of the act. */
export type OutgoingAct = {
  conversationId: string
  clientMessageId: string
  target: MessageName
} & (
  | {
      act: 'unsend'
      /** The uploaded file of the message, in case its send has never arrived. */
      mediaUrl?: string
    }
  | {
      act: 'edit'
      /** The act whose content the person has edited; null for the content first sent. */
      replaces: string | null
      /** The new text or caption. */
      content: string
      /** Describes the sealed file of the message, as `Draft` does. */
      media?: unknown
      /** The message answers this one, as in `Draft`. */
      re?: ReplyTo | undefined
      /** The message vanishes after this time, which its sealed content names, too. */
      vanishMs?: VanishMs | undefined
      /** The file of the message is not sealed, so its caption cannot be. */
      isPlain?: true | undefined
      /** The keys with these epochs sealed `content`; absent on plain text. */
      sealed?: Sealed
    }
  | {
      act: 'reaction'
      /** The act of the own reaction that the person was shown; null if there was none. */
      replaces: string | null
      /** One emoji; absent where the reaction is taken back. */
      content?: string
      sealed?: Sealed
    }
)

export type Outgoing = OutgoingMessage | OutgoingAct

export interface HistoryQuery {
  /** Requests only messages with a higher `seq`, ascending from the lowest. */
  after?: number
  /** Requests the newest of the messages with a lower `seq`, ascending. */
  before?: number
  /** Requests only messages with a higher `version`, ascending by it. */
  changedSince?: number
  limit: number
}

/**
 * The engine makes these calls. A failed one rejects with an error that has `status` (the HTTP status; absent without
 * an answer) and may have `code`, `resetsAt` and `retryAfterMs`. `signal` aborts when the engine stops waiting.
 */
export interface SyncApi {
  listMessages(conversationId: string, query: HistoryQuery, signal: AbortSignal): Promise<Message[]>
  sendMessage(message: OutgoingMessage, signal: AbortSignal): Promise<Message>
  markRead(conversationId: string, seq: number, signal: AbortSignal): Promise<unknown>
}

/** Resolves to the message after the act. */
export type SendAct = (act: OutgoingAct, signal: AbortSignal) => Promise<Message>

export interface LiveState {
  connected: boolean
  /** True when the connection is open, but the server may miss messages, so that clients have to poll. */
  degraded: boolean
  /** The server refused the connection for this reason. While it is set, there is no retry until `reconnect`. */
  refusal: HandshakeRefusal | null
}

export interface LiveListener {
  onEvent?(event: ServerEvent): void
  onState?(state: LiveState): void
  /** Called when an attempt to connect failed without a refusal from the server. */
  onFailedAttempt?(): void
  /**
   * Called when the connection was lost or an attempt failed. The reason is a text of Socket.IO or a refusal of the
   * server.
   */
  onError?(reason: string): void
}

/** Delivers events as hints: they may be lost, repeated or out of order. */
export interface LiveConnection {
  readonly state: LiveState
  /** Reports every event and change from now on; returns a function that unsubscribes. */
  subscribe(listener: LiveListener): () => void
  /** Connects now. Call it when the device is back online or the session was unlocked. */
  reconnect(): void
  close(): void
}

/**
 * The owner of the state, such as a Redux store, passes a cell, in which the engine reads the state and replaces it.
 */
export interface Cell<T> {
  get(): T
  set(value: T): void
}

/** Time and randomness come from this clock, so that tests can control both. */
export interface SyncClock {
  nowMs(): number
  /** Calls `run` once after `ms`. The result can be passed to `clearTimeout`. */
  setTimeout(run: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  random(): number
}

interface Queued<T extends Outgoing> {
  /** The message or the act as the person made it. */
  readonly message: T
  /** It is sent in this form, once it was prepared. A sealed one stays the same in every attempt. */
  readonly prepared?: T | undefined
  readonly createdAtMs: number
  /** A `failed` message is only retried by the person. A refused act is `failed` until it was reported. */
  readonly status: 'waiting' | 'sending' | 'failed'
  /** The last attempt failed with this error; null before the first attempt and after a retry by the person. */
  readonly failure: SyncFailure | null
}

export type OutboxItem = Queued<OutgoingMessage>
export interface ActItem extends Queued<OutgoingAct> {
  /** An attempt has begun, so the server may have applied the act. */
  readonly isTried?: true
  /** The message vanishes at this time, ms by the server's clock; absent while that is unknown. */
  readonly endsAtMs?: number
  /** The unsent message whose place an unsend has taken, and the acts on it. */
  readonly replaced?: readonly OutboxEntry[]
}
export type OutboxEntry = OutboxItem | ActItem

/** Keeps unsent messages and acts for the next page load. Each outbox has a store of its own. */
export interface OutboxStore {
  load(): Promise<readonly OutboxEntry[]>
  /**
   * Replaces the items that this outbox has loaded or saved. Calls may overlap; the last one counts and resolves
   * last.
   */
  save(items: readonly OutboxEntry[]): Promise<void>
}

export interface SyncFailure {
  /** The value is the HTTP status; null without an answer. */
  readonly status: number | null
  readonly code: string | null
  readonly message: string
  /** With 402, the next free message becomes available at this time. */
  readonly resetsAt: string | null
  /** With 429 and 503, the server wants the client to wait this long. */
  readonly retryAfterMs: number | null
}
