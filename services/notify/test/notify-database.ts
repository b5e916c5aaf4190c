import { createLogger } from '@sumlock/service-kit/logger'
import { runMigrations } from '@sumlock/service-kit/migrations'
import { openOwnDatabase } from '@sumlock/testing/own-database'
import type { Connection } from 'mongoose'
import { migrations } from '../src/migrations.ts'

export const silentLogger = createLogger({ service: 'test', instance: 'test', level: 'silent' })

/** A migrated database of notify in a namespace of its own; `close` removes it. */
export async function openNotifyDatabase(clock: {
  now(): Date
  nowMs(): number
}): Promise<{ connection: Connection; close(): Promise<void> }> {
  const own = await openOwnDatabase('notify', silentLogger)
  await runMigrations(own.connection, migrations, { clock, logger: silentLogger })
  return own
}
