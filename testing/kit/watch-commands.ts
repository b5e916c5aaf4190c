import type { Connection } from 'mongoose'
import { manyRows } from './config.ts'

export interface DatabaseCommand {
  name: string
  collection: string
  /** The command wrote this many rows; 0 for a read. */
  rows: number
  tookMs: number
}

interface Started {
  requestId: number
  command: Record<string, unknown>
}
interface Succeeded {
  requestId: number
  commandName: string
  duration: number
  reply: Record<string, unknown>
}
const writing = new Set(['insert', 'update', 'delete'])
const ofNoWork = new Set(['hello', 'ping', 'endSessions'])

/** Returns the address of a database for a client whose commands `watchCommands` must see. */
export const monitored = (url: string): string => `${url}${url.includes('?') ? '&' : '?'}monitorCommands=true`

/**
 * Calls `onCommand` after each command, with the number of rows from the server's answer and the time until this
 * answer.
 */
export function watchCommands(
  connections: readonly Connection[],
  onCommand: (command: DatabaseCommand) => void,
): void {
  for (const client of new Set(connections.map((connection) => connection.getClient()))) {
    const collections = new Map<number, string>()
    client.on('commandStarted', ({ requestId, command }: Started) => {
      const [name = ''] = Object.keys(command)
      if (!ofNoWork.has(name)) collections.set(requestId, String(command['collection'] ?? command[name]))
    })
    client.on('commandSucceeded', ({ requestId, commandName, duration, reply }: Succeeded) => {
      const collection = collections.get(requestId)
      if (collection === undefined) return
      collections.delete(requestId)
      const rows = writing.has(commandName)
        ? Number(reply['n'])
        : Number(commandName === 'findAndModify' && Boolean(reply['value']))
      onCommand({ name: commandName, collection, rows, tookMs: duration })
    })
    client.on('commandFailed', ({ requestId }: Started) => collections.delete(requestId))
  }
}

/** Returns a function that does some work and resolves with its commands. */
export function recordCommands(connections: readonly Connection[]) {
  let commands: DatabaseCommand[] = []
  watchCommands(connections, (command) => commands.push(command))
  return async (title: string, work: () => Promise<unknown>): Promise<DatabaseCommand[]> => {
    commands = []
    const startedAt = performance.now()
    await work()
    sayHowLong(title, commands, startedAt)
    return commands
  }
}

/** Prints how long some work and its longest command took, if the run measures with more rows than usual. */
export function sayHowLong(title: string, commands: readonly DatabaseCommand[], startedAt: number): void {
  if (!manyRows.areMeasured) return
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const rows = commands.reduce((sum, one) => sum + one.rows, 0)
  const longest = commands.reduce((one, other) => (one.tookMs < other.tookMs ? other : one))
  const { name, collection, tookMs } = longest
  process.stderr.write(
    `  ${title}: ${rows} rows written in ${seconds} s by ${commands.length} commands, longest ${tookMs} ms (${name} ${collection})\n`,
  )
}
