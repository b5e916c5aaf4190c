import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Connection } from 'mongoose'
import type { Clock } from './clock.ts'
import type { Logger } from './logger.ts'
import { isTransient } from './transient.ts'

export interface Migration {
  /** `0001-what-it-does`; runs once per database, in order of the list. Never edited after it was merged. */
  readonly id: string
  up(connection: Connection): Promise<void>
}

interface MigrationRow {
  _id: string
  appliedAt?: Date
  owner?: string
  until?: Date
}

interface MigrationOptions {
  clock: Clock
  logger: Logger
}

const lockId = 'lock'
const lockMs = 60_000
const retryMs = 200
const retryForMs = 30_000

/**
 * Brings the database to the newest shape. Replicas that start together wait for one another; one that died
 * inside is overtaken after a minute, and a database that is away for a moment is asked again for half a minute,
 * so every migration must be safe to run again. Returns the ids it applied.
 */
export async function runMigrations(
  connection: Connection,
  migrations: readonly Migration[],
  options: MigrationOptions,
): Promise<string[]> {
  const [owner, ran]: [string, string[]] = [randomUUID(), []]
  const giveUpAt = performance.now() + retryForMs
  for (;;) {
    try {
      await applyPending(connection, migrations, { ...options, owner, ran })
      return ran
    } catch (error) {
      if (!isTransient(error) || performance.now() > giveUpAt) throw error
      options.logger.warn({ err: error }, 'the database went away while migrating; trying again')
      await wait(retryMs)
    }
  }
}

/** Adds what it applied to `ran`. A lock that the same owner could not give back is still theirs. */
async function applyPending(
  connection: Connection,
  migrations: readonly Migration[],
  { clock, logger, owner, ran }: MigrationOptions & { owner: string; ran: string[] },
): Promise<void> {
  const rows = connection.collection<MigrationRow>('_migrations')
  const applied = async () =>
    new Set((await rows.find({ appliedAt: { $exists: true } }).toArray()).map((row) => row._id))
  const pending = async () => {
    const done = await applied()
    return migrations.filter((migration) => !done.has(migration.id))
  }
  if ((await pending()).length === 0) return

  const takeLock = async () => {
    const now = clock.now()
    try {
      const row = await rows.findOneAndUpdate(
        { _id: lockId, $or: [{ until: { $lt: now } }, { owner }] },
        { $set: { owner, until: new Date(now.getTime() + lockMs) } },
        { upsert: true, returnDocument: 'after' },
      )
      return row?.owner === owner
    } catch (error) {
      if ((error as { code?: number }).code === 11000) return false
      throw error
    }
  }
  while (!(await takeLock())) await wait(retryMs)

  try {
    for (const migration of await pending()) {
      logger.info({ migration: migration.id }, 'migrating')
      await migration.up(connection)
      await rows.insertOne({ _id: migration.id, appliedAt: clock.now() })
      ran.push(migration.id)
    }
  } finally {
    await rows.updateOne({ _id: lockId, owner }, { $set: { until: new Date(0) } })
  }
}
