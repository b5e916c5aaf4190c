import { currentRequest } from '@sumlock/service-kit/request-context'
import type { RequestContext } from '@sumlock/service-kit/request-context'
import type { MessageRecord } from '../domain/message.ts'

/** Runs MongoDB's `insert` command on the collection of messages. */
export type RunInsert = (command: {
  documents: readonly MessageRecord[]
  ordered: false
  writeConcern: { w: 'majority'; j: true }
}) => Promise<InsertReply>

/** MongoDB answers with this object. A message without an entry in `writeErrors` was stored. */
export interface InsertReply {
  writeErrors?: readonly WriteError[]
  /** With this error it is unknown whether the majority has the stored messages. */
  writeConcernError?: { code: number; errmsg?: string }
}

/** A unique index refused the message. */
export class DuplicateMessageError extends Error {
  override readonly name = 'DuplicateMessageError'
  readonly index: 'clientMessageId' | '_id'

  constructor(index: 'clientMessageId' | '_id') {
    super(`duplicate ${index}`)
    this.index = index
  }
}

/** The message was not written, because it was too late when its insert command began. */
export class TooLateError extends Error {
  override readonly name = 'TooLateError'
}

export interface GroupCommit {
  /**
   * Resolves once the majority has the message in its journal. Throws DuplicateMessageError, the database's error, or
   * TooLateError when `isTooLate` returns true just before the message is written.
   */
  insert(record: MessageRecord, isTooLate?: () => boolean): Promise<void>
}

interface WriteError {
  /** The refused message has this position in the batch. */
  index: number
  code: number
  errmsg?: string
}

/** Describes a finished insert command with times of `performance.now()`. */
export interface Commit {
  startedMs: number
  endedMs: number
  inserts: readonly { arrivedMs: number; request: RequestContext | undefined }[]
}

export interface CommitObserver {
  batch(commit: Commit): void
}

interface Waiting {
  record: MessageRecord
  isTooLate: (() => boolean) | undefined
  arrivedMs: number
  request: RequestContext | undefined
  resolve: () => void
  reject: (error: unknown) => void
}

/** A body has at most 64 kB, so this many messages stay below the 16 MB of a command. */
const maxBatch = 200

/**
 * Keeps one insert command in flight. Messages that arrive during a command form the next one, so that under load one
 * journal flush serves many messages. Without a command in flight no message waits. Each caller gets the result of its own
 * message.
 */
export function createGroupCommit(runInsert: RunInsert, observer?: CommitObserver): GroupCommit {
  let waiting: Waiting[] = []
  let busy = false

  const next = (): void => {
    if (busy) return
    waiting = waiting.filter(({ isTooLate, reject }) => {
      if (!isTooLate?.()) return true
      reject(new TooLateError())
      return false
    })
    if (waiting.length === 0) return
    busy = true
    const startedMs = performance.now()
    const batch = waiting.slice(0, maxBatch)
    waiting = waiting.slice(maxBatch)
    void write(runInsert, batch).finally(() => {
      busy = false
      observer?.batch({ startedMs, endedMs: performance.now(), inserts: batch })
      next()
    })
  }

  return {
    insert: (record, isTooLate) =>
      new Promise((resolve, reject) => {
        const arrival = { arrivedMs: performance.now(), request: currentRequest() }
        waiting.push({ record, isTooLate, ...arrival, resolve, reject })
        next()
      }),
  }
}

async function write(runInsert: RunInsert, batch: readonly Waiting[]): Promise<void> {
  try {
    const documents = batch.map(({ record }) => record)
    // guard: durable-write
    const reply = await runInsert({ documents, ordered: false, writeConcern: { w: 'majority', j: true } })
    const { writeErrors = [], writeConcernError } = reply
    if (writeConcernError)
      throw new Error(`the majority did not acknowledge an insert: ${writeConcernError.code}`)
    const failures = new Map(writeErrors.map((failure) => [failure.index, toError(failure)]))
    batch.forEach(({ resolve, reject }, index) => {
      const failure = failures.get(index)
      if (failure) reject(failure)
      else resolve()
    })
  } catch (error) {
    // After this error it is unknown which messages were stored.
    for (const { reject } of batch) reject(error)
  }
}

function toError({ code, errmsg = '' }: WriteError): Error {
  const index = code === 11000 ? /index: (\w+) dup key/.exec(errmsg)?.[1] : undefined
  if (index === '_id_') return new DuplicateMessageError('_id')
  if (index === 'clientMessageId') return new DuplicateMessageError(index)
  return new Error(`MongoDB refused an insert with code ${code}`)
}
