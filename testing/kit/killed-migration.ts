import type { Logger } from '@sumlock/service-kit/logger'
import type { Migration } from '@sumlock/service-kit/migrations'
import { connectMongo } from '@sumlock/service-kit/mongo'
import { monitored, watchWrites } from './watch-writes.ts'

/**
 * Runs a migration over a connection of its own, which ends after so many commands that write. Resolves with the rows that each
 * command wrote; those of `$merge` are not known.
 */
export async function runKilled(
  { up }: Migration,
  { url, logger, dyingAfter = Infinity }: { url: string; logger: Logger; dyingAfter?: number },
): Promise<number[]> {
  const connection = await connectMongo(monitored(url), logger)
  const written: number[] = []
  let commands = 0
  const count = () => {
    commands += 1
    if (commands >= dyingAfter) void connection.close(true)
  }
  watchWrites([connection], ({ rows }) => {
    written.push(rows)
    count()
  })
  connection.getClient().on('commandSucceeded', ({ commandName }: { commandName: string }) => {
    if (commandName === 'aggregate') count()
  })
  try {
    await up(connection)
  } finally {
    await connection.close(true)
  }
  return written
}
