import type { DatabaseOwner } from '@sumlock/deployment/provision'
import { createLogger } from '@sumlock/service-kit/logger'
import type { Migration } from '@sumlock/service-kit/migrations'
import type { Connection } from 'mongoose'
import { runKilled } from './killed-migration.ts'
import { openOwnDatabase } from './own-database.ts'

/** Inserts data of the release before a migration, and checks the result of the migration. */
export interface WalkedMigration {
  insert(): Promise<unknown>
  verify(): Promise<void>
  /**
   * For each number, a run is killed after this many commands that write; the next run starts again from the beginning.
   */
  deaths?: readonly number[]
}

/** Declares one test for each of these migrations. `open` receives the service's database while it is empty. */
export function walkMigrations(
  owner: DatabaseOwner,
  {
    migrations,
    open,
    walked,
  }: {
    migrations: readonly Migration[]
    open(connection: Connection): unknown
    walked: Record<string, WalkedMigration>
  },
): void {
  const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' })
  let database: Awaited<ReturnType<typeof openOwnDatabase>>
  beforeAll(async () => {
    database = await openOwnDatabase(owner, logger)
    await open(database.connection)
  })
  afterAll(() => database?.close())

  it.each(Object.entries(walked))(
    'the migration %s writes 5,000 rows at most with a command, and ends the same after it was killed in between',
    async (id, { insert, verify, deaths = [2] }) => {
      await insert()
      const { url, connection } = database
      const migration = migrations.find((one) => one.id === id) as Migration
      for (const dyingAfter of deaths)
        await expect(runKilled(migration, { url, logger, dyingAfter })).rejects.toThrow()
      expect(Math.max(0, ...(await runKilled(migration, { url, logger })))).toBeLessThanOrEqual(5000)
      await verify()
      await migration.up(connection)
      await verify()
    },
    600_000,
  )
}
