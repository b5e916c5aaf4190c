import type { Connection } from 'mongoose'

/** What one command wrote. */
export interface WrittenRows {
  command: string
  collection: string
  rows: number
}

interface Started {
  requestId: number
  command: Record<string, unknown>
}
interface Succeeded {
  requestId: number
  commandName: string
  reply: Record<string, unknown>
}
const writing = new Set(['insert', 'update', 'delete', 'findAndModify'])

/** The address of a database for a client whose commands `watchWrites` sees. */
export const monitored = (url: string): string => `${url}${url.includes('?') ? '&' : '?'}monitorCommands=true`

/** Calls `onWrite` with the rows of each command that wrote some, as the server counted them. */
export function watchWrites(
  connections: readonly Connection[],
  onWrite: (written: WrittenRows) => void,
): void {
  for (const client of new Set(connections.map((connection) => connection.getClient()))) {
    const collections = new Map<number, string>()
    client.on('commandStarted', ({ requestId, command }: Started) => {
      const [name = ''] = Object.keys(command)
      if (writing.has(name)) collections.set(requestId, String(command[name]))
    })
    client.on('commandSucceeded', ({ requestId, commandName, reply }: Succeeded) => {
      const collection = collections.get(requestId)
      if (collection === undefined) return
      collections.delete(requestId)
      const rows = commandName === 'findAndModify' ? Number(Boolean(reply['value'])) : Number(reply['n'])
      if (rows > 0) onWrite({ command: commandName, collection, rows })
    })
    client.on('commandFailed', ({ requestId }: Started) => collections.delete(requestId))
  }
}
