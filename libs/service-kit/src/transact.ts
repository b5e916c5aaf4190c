import { setTimeout as wait } from 'node:timers/promises'
import type { ClientSession, Connection } from 'mongoose'
import { unavailable } from './app-error.ts'

const timeoutMs = 3000
const firstPauseMs = 5
const longestPauseMs = 500

/**
 * Runs work in a transaction and returns its result once it is committed. Work that collides with another transaction
 * is repeated, so it may run several times. An error of the work rolls the transaction back. Throws `unavailable`
 * when 3 s after the beginning the work still collides, or it is still unknown whether the commit was stored; in the
 * second case it may have been. The driver's own function would try for two minutes, even when nobody waits any more.
 */
export async function transact<T>(
  connection: Pick<Connection, 'startSession'>,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const giveUpAt = performance.now() + timeoutMs
  const session = await connection.startSession()
  try {
    return await repeatAfter('TransientTransactionError', giveUpAt, async () => {
      const result = await runWork(session, work)
      const commit = () => session.commitTransaction()
      await repeatAfter('UnknownTransactionCommitResult', giveUpAt, commit)
      return result
    })
  } finally {
    await session.endSession()
  }
}

async function runWork<T>(session: ClientSession, work: (session: ClientSession) => Promise<T>): Promise<T> {
  session.startTransaction()
  try {
    return await work(session)
  } catch (error) {
    await session.abortTransaction()
    throw error
  }
}

/**
 * Repeats a step while it fails with an error of this label and time is left. The pauses are those of MongoDB's
 * driver.
 */
async function repeatAfter<T>(label: string, giveUpAt: number, step: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await step()
    } catch (error) {
      if (!labelsOf(error).includes(label)) throw error
      const pauseMs = Math.random() * Math.min(firstPauseMs * 1.5 ** tries, longestPauseMs)
      if (performance.now() + pauseMs >= giveUpAt) throw unavailable('a transaction', error)
      await wait(pauseMs)
    }
  }
}

const labelsOf = (error: unknown): readonly string[] =>
  error instanceof Error && 'errorLabels' in error && Array.isArray(error.errorLabels)
    ? (error.errorLabels as string[])
    : []
