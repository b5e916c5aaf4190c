import { currentRequest } from '@sumlock/service-kit/request-context'
import type { RequestContext } from '@sumlock/service-kit/request-context'
import type { MessageRecord } from '../domain/message.ts'

/** The part of a MongoDB collection the writer needs. */
export interface InsertMany {
  insertMany(
    records: readonly MessageRecord[],
    options: { ordered: false; writeConcern: { w: 'majority'; j: true } },
  ): Promise<unknown>
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

/** A finished insert command; times are those of `performance.now()`. */
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

interface WriteError {
  index: number
  code: number
  errmsg?: string
}

const maxBatch = 200

/**
 * Keeps one insert command in flight; messages that arrive meanwhile form the next one. Without a timer a single message
 * never waits, and under load one journal flush serves many. Each caller gets the result of its own message.
 */
export function createGroupCommit(collection: InsertMany, observer?: CommitObserver): GroupCommit {
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
    const batch = waiting.slice(0, maxBatch)
    waiting = waiting.slice(maxBatch)
    const startedMs = performance.now()
    void write(collection, batch).finally(() => {
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

async function write(collection: InsertMany, batch: readonly Waiting[]): Promise<void> {
  try {
    const records = batch.map(({ record }) => record)
    // guard: durable-write
    await collection.insertMany(records, { ordered: false, writeConcern: { w: 'majority', j: true } })
    for (const { resolve } of batch) resolve()
  } catch (error) {
    const failures = writeErrorsOf(error)
    batch.forEach(({ resolve, reject }, index) => {
      // Without a list of failures it is unknown what was stored; with one, messages missing in it are acknowledged.
      if (!failures) reject(error)
      else if (failures.has(index)) reject(failures.get(index))
      else resolve()
    })
  }
}

/** The failures by position in the batch; undefined when the whole command failed or its write concern was not met. */
function writeErrorsOf(error: unknown): Map<number, Error> | undefined {
  const { writeErrors, result, writeConcernErrors } = (error ?? {}) as {
    writeErrors?: WriteError | WriteError[]
    writeConcernErrors?: unknown[]
    result?: { getWriteConcernError?: () => unknown }
  }
  if (writeErrors === undefined || result?.getWriteConcernError?.() || (writeConcernErrors?.length ?? 0) > 0)
    return undefined
  const list = Array.isArray(writeErrors) ? writeErrors : [writeErrors]
  if (list.length === 0) return undefined
  return new Map(list.map((failure) => [failure.index, toError(failure)]))
}

function toError({ code, errmsg = '' }: WriteError): Error {
  const index = code === 11000 ? /index: (\w+) dup key/.exec(errmsg)?.[1] : undefined
  if (index === '_id_') return new DuplicateMessageError('_id')
  if (index === 'clientMessageId') return new DuplicateMessageError(index)
  return new Error(`insert refused with ${code}`)
}
