import type { Message } from '@sumlock/contracts/messaging-routes'
import type { Sealed } from '@sumlock/contracts/sealed'
import type { HandshakeRefusal, ServerEvent } from '@sumlock/contracts/socket'

/** The content of a message to send. */
export type Draft =
  | { messageType: 'text'; content: string }
  | {
      messageType: 'image' | 'video' | 'voice'
      mediaUrl: string
      content?: string
      /** Describes a sealed file, its key included; it is part of the sealed body and never leaves in the open. */
      media?: unknown
    }

/** A draft with its address and the id under which the server stores it at most once. */
export type OutgoingMessage = Draft & {
  conversationId: string
  clientMessageId: string
  /** The keys that sealed `content`; absent on plain text. */
  sealed?: Sealed
}

export interface HistoryQuery {
  /** Requests only messages with a higher `seq`, ascending from the lowest. */
  after?: number
  /** Requests only messages with a lower `seq`, the newest ones, ascending. */
  before?: number
  limit: number
}

/**
 * The calls that the engine makes. A failed call rejects with an error that has `status` (the HTTP status; absent without an
 * answer) and may have `code`, `resetsAt` and `retryAfterMs`. `signal` aborts when the engine stops waiting.
 */
export interface SyncApi {
  listMessages(conversationId: string, query: HistoryQuery, signal: AbortSignal): Promise<Message[]>
  sendMessage(message: OutgoingMessage, signal: AbortSignal): Promise<Message>
  markRead(conversationId: string, seq: number, signal: AbortSignal): Promise<unknown>
}

export interface LiveState {
  connected: boolean
  /** Connected, but the server may miss messages: clients have to poll. */
  degraded: boolean
  /** Why the server refused the connection; while set, there is no retry until `reconnect`. */
  refusal: HandshakeRefusal | null
}

export interface LiveListener {
  onEvent?(event: ServerEvent): void
  onState?(state: LiveState): void
  /** An attempt to connect failed without a known reason. */
  onFailedAttempt?(): void
  /** The connection was lost, or an attempt failed: the reason in the words of Socket.IO, or a refusal. */
  onError?(reason: string): void
}

/** A stream of hints, which may be lost, repeated or out of order. */
export interface LiveConnection {
  readonly state: LiveState
  /** Reports every event and change from now on; returns a function that unsubscribes. */
  subscribe(listener: LiveListener): () => void
  /** Connects now, because the device is back online or the session was unlocked. */
  reconnect(): void
  close(): void
}

/** A place that someone else owns; the engine reads its state there and writes it back whole. */
export interface Cell<T> {
  get(): T
  set(value: T): void
}

/** Time and randomness, so that tests can control both. */
export interface SyncClock {
  nowMs(): number
  /** Runs once after `ms`; the result goes into `clearTimeout`. */
  setTimeout(run: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
  /** 0 ≤ x < 1. */
  random(): number
}

export interface OutboxItem {
  /** The message as the person wrote it. */
  readonly message: OutgoingMessage
  /** The message as it is sent, once it was prepared; a sealed one is the same in every attempt. */
  readonly prepared?: OutgoingMessage | undefined
  readonly createdAtMs: number
  /** A `failed` item is only retried by the person. */
  readonly status: 'waiting' | 'sending' | 'failed'
  /** Why the last attempt failed; null before the first, and after a retry by the person. */
  readonly failure: SyncFailure | null
}

/** Keeps unsent messages for the next page load. One store per outbox. */
export interface OutboxStore {
  load(): Promise<readonly OutboxItem[]>
  /** Replaces the items that this outbox has loaded or saved. Calls may overlap: the last one counts, and resolves last. */
  save(items: readonly OutboxItem[]): Promise<void>
}

export interface SyncFailure {
  /** HTTP status; null without an answer. */
  readonly status: number | null
  readonly code: string | null
  /** A sentence for a person. */
  readonly message: string
  /** 402: when the free message of the next day becomes available. */
  readonly resetsAt: string | null
  /** 429 and 503: how long the server wants the client to wait. */
  readonly retryAfterMs: number | null
}
