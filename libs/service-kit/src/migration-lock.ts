import { setTimeout as wait } from 'node:timers/promises'
import type { Collection } from 'mongoose'
import type { Clock } from './clock.ts'
import { createLease } from './lease.ts'
import type { LeaseRow } from './lease.ts'
import type { Logger } from './logger.ts'

export interface MigrationLockOptions {
  clock: Clock
  logger: Logger
  /** Waits at most this long for another runner; 15 minutes by default. */
  lockWaitMs?: number
}

export interface MigrationLock {
  /** Extends the lock. Throws a MigrationLockError when another runner has taken it over. */
  renew(this: void): Promise<void>
  release(this: void): Promise<void>
}

/** Thrown when another runner holds the lock for too long or has taken it over. */
export class MigrationLockError extends Error {
  override name = 'MigrationLockError'
}

const lockId = 'lock'
const lockMs = 60_000
const renewEveryMs = 20_000
const retryMs = 200

/**
 * Takes the lock of a database's migrations for `owner` and renews it every 20 s until `release`. The lock of a
 * runner that died can be taken after 60 s. Throws a MigrationLockError when another runner keeps the lock for longer
 * than `lockWaitMs`.
 */
export async function acquireMigrationLock(
  rows: Collection<LeaseRow>,
  owner: string,
  { clock, logger, lockWaitMs = 15 * 60_000 }: MigrationLockOptions,
): Promise<MigrationLock> {
  const until = () => new Date(clock.nowMs() + lockMs)
  const lease = createLease(rows, lockId, owner)
  const giveUpAtMs = clock.nowMs() + lockWaitMs
  while (!(await lease.take(clock.now(), until()))) {
    if (clock.nowMs() >= giveUpAtMs)
      throw new MigrationLockError(
        `Another runner has held the migration lock of ${rows.conn.name} for ${Math.round(lockWaitMs / 1000)} s. ` +
          'Let it finish, then run the migrations again.',
      )
    await wait(retryMs)
  }

  const renew = async () => {
    if (!(await lease.renew(until())))
      throw new MigrationLockError(
        `Another runner took over the migration lock of ${rows.conn.name}. Let it finish, then run the migrations again.`,
      )
  }
  const renewal = setInterval(() => {
    renew().catch((error: unknown) => logger.warn({ err: error }, 'the migration lock could not be renewed'))
  }, renewEveryMs)
  return {
    renew,
    async release() {
      clearInterval(renewal)
      await lease.release()
    },
  }
}
