import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Connection } from 'mongoose'
import { acquireMigrationLock } from './migration-lock.ts'
import type { MigrationLockOptions } from './migration-lock.ts'
import { isTransient } from './transient.ts'

export interface Migration {
  /**
   * The form is `0001-what-it-does`. Each id runs once per database, in the order of the list; a merged migration is
   * never edited.
   */
  readonly id: string
  up(connection: Connection): Promise<void>
}

interface MigrationRow {
  _id: string
  appliedAt?: Date
}

const retryMs = 200
const retryForMs = 30_000

/** Returns the migrations that were not applied to this database yet, in their order. */
export async function pendingMigrations(
  connection: Connection,
  migrations: readonly Migration[],
): Promise<Migration[]> {
  const rows = connection.collection<MigrationRow>('_migrations')
  const applied = await rows.find({ appliedAt: { $exists: true } }).toArray()
  const appliedIds = new Set(applied.map((row) => row._id))
  return migrations.filter(({ id }) => !appliedIds.has(id))
}

/**
 * Applies the pending migrations and returns their ids. A job runs it before the services start; runners that start
 * together wait for one another. After the database was away for up to 30 s, the interrupted migration runs a second
 * time, so every migration must be safe to repeat. Throws a MigrationLockError when another runner holds the lock for
 * too long.
 */
export async function runMigrations(
  connection: Connection,
  migrations: readonly Migration[],
  options: MigrationLockOptions,
): Promise<string[]> {
  const applied: string[] = []
  // All attempts have the same owner, so that a lock that an attempt could not release is still held by the next one.
  const owner = randomUUID()
  let giveUpAtMs = Infinity
  for (;;) {
    try {
      await applyPending(connection, migrations, { ...options, owner }, (id) => {
        applied.push(id)
        giveUpAtMs = Infinity
      })
      return applied
    } catch (error) {
      giveUpAtMs = Math.min(giveUpAtMs, performance.now() + retryForMs)
      if (!isTransient(error) || performance.now() > giveUpAtMs) throw error
      options.logger.warn({ err: error }, 'the database did not answer during a migration; retrying')
      await wait(retryMs)
    }
  }
}

async function applyPending(
  connection: Connection,
  migrations: readonly Migration[],
  { owner, ...options }: MigrationLockOptions & { owner: string },
  onApplied: (id: string) => void,
): Promise<void> {
  if ((await pendingMigrations(connection, migrations)).length === 0) return
  const rows = connection.collection<MigrationRow>('_migrations')
  const lock = await acquireMigrationLock(rows, owner, options)
  try {
    for (const { id, up } of await pendingMigrations(connection, migrations)) {
      await lock.renew()
      options.logger.info({ migration: id }, 'applying a migration')
      await up(connection)
      // This throws if the lock was lost; the other runner then applies the migration again.
      await lock.renew()
      await rows.insertOne({ _id: id, appliedAt: options.clock.now() })
      onApplied(id)
    }
  } finally {
    await lock.release()
  }
}
