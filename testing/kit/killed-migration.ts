import type { Logger } from '@sumlock/service-kit/logger'
import type { Migration } from '@sumlock/service-kit/migrations'
import { connectMongo } from '@sumlock/service-kit/mongo'
import { monitored, sayHowLong, watchCommands } from './watch-commands.ts'
import type { DatabaseCommand } from './watch-commands.ts'

/**
 * Runs a migration over its own connection, which is closed after `dyingAfter` commands that write. Resolves to the
 * number of rows that each command wrote; rows that `$merge` wrote are not counted.
 */
export async function runKilled(
  { id, up }: Migration,
  { url, logger, dyingAfter = Infinity }: { url: string; logger: Logger; dyingAfter?: number },
): Promise<number[]> {
  const connection = await connectMongo(monitored(url), logger)
  const all: DatabaseCommand[] = []
  let commands = 0
  const count = () => {
    commands += 1
    if (commands >= dyingAfter) void connection.close(true)
  }
  watchCommands([connection], (command) => {
    all.push(command)
    if (command.rows > 0 || command.name === 'aggregate') count()
  })
  const startedAt = performance.now()
  try {
    await up(connection)
    sayHowLong(id, all, startedAt)
  } finally {
    await connection.close(true)
  }
  return all.map(({ rows }) => rows)
}
