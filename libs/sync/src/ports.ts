import type { Message } from '@sumlock/contracts/messaging-routes'
import type { HandshakeRefusal, ServerEvent } from '@sumlock/contracts/socket'

/** What a person wants to send. */
export type Draft =
  | { messageType: 'text'; content: string }
  | { messageType: 'image' | 'video' | 'voice'; mediaUrl: string; content?: string }

/** A draft with its address and the id under which the server stores it at most once. */
export type OutgoingMessage = Draft & { conversationId: string; clientMessageId: string }

export interface HistoryQuery {
  /** Only messages with a higher `seq`, ascending from the lowest. */
  after?: number
  /** Only messages with a lower `seq`: the newest of them, ascending. */
  before?: number
  limit: number
}

/**
 * The calls the engine needs. A failed call rejects with an error that has `status` (the HTTP status; absent without an
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
  /** A try to connect failed without a reason that could be read. */
  onFailedTry?(): void
}

/** A stream of hints. What it brings may be lost, doubled or out of order. */
export interface LiveConnection {
  readonly state: LiveState
  /** Tells of every event and change from now on; returns the way to stop. */
  subscribe(listener: LiveListener): () => void
  /** Tries again at once: the device is back online, or the session was unlocked. */
  reconnect(): void
  close(): void
}

/** Time and chance, so that tests own both. */
export interface SyncClock {
  nowMs(): number
  /** Runs once after `ms`; the result goes into `clearTimeout`. */
  setTimeout(run: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
  /** 0 ≤ x < 1. */
  random(): number
}

export interface OutboxItem {
  readonly message: OutgoingMessage
  readonly createdAtMs: number
  /** `failed` waits for the person: nothing is tried again by itself. */
  readonly status: 'waiting' | 'sending' | 'failed'
  /** Why the last try failed; null when nothing was tried or the server did not answer. */
  readonly failure: SyncFailure | null
}

/** Where unsent messages wait for the next page load. One store per outbox. */
export interface OutboxStore {
  load(): Promise<readonly OutboxItem[]>
  /** Keeps exactly these of what this outbox has loaded or saved. Never called again before the previous call ended. */
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
  /** 429 and 503: when the server wants to be asked again. */
  readonly retryAfterMs: number | null
}
