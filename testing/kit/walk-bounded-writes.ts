import mongoose from 'mongoose'
import type { Connection } from 'mongoose'
import { boundedWork } from './bounded-work.ts'
import type { WalkedService, WorkOf } from './bounded-work.ts'
import { manyRows } from './config.ts'
import { openNamespace } from './namespace.ts'
import type { Namespace } from './namespace.ts'
import { monitored, recordCommands } from './watch-commands.ts'

/** Work is prepared with at least this many rows, more than one command may write. */
export const many = manyRows.count
const mostPerCommand = 5000

/** Heavy work meets as many rows as there can be. */
export interface HeavyWork {
  prepare?(): Promise<unknown>
  run(): Promise<unknown>
  /** The work must write at least this many rows, which shows that it has met the prepared ones. */
  rows: number
}

interface Walk<Name extends string> {
  /** Opens the context of the service in this environment. */
  open(environment: Record<string, string>): Promise<{ close(): Promise<void> }>
  work: Record<Name, HeavyWork>
  /** This is further work with many rows: of routes, of libraries, or with other data. */
  besides?: Record<string, HeavyWork>
}

/** Declares one test for each piece of work that `boundedWork` names for a service. */
export function walkBoundedWrites<Service extends WalkedService>(
  service: Service,
  { open, work, besides = {} }: Walk<WorkOf<Service>>,
): void {
  let namespace: Namespace
  let context: { close(): Promise<void> }
  let commandsOf: ReturnType<typeof recordCommands>
  beforeAll(async () => {
    namespace = await openNamespace()
    const environment = namespace.environmentOf(service)
    context = await open({ ...environment, MONGO_URL: monitored(String(environment['MONGO_URL'])) })
    const isOpen = ({ readyState }: Connection) => readyState === mongoose.ConnectionStates.connected
    commandsOf = recordCommands(mongoose.connections.filter(isOpen))
  })
  afterAll(async () => {
    await context?.close()
    await namespace?.close()
  })

  const { handlers, jobs, sweeps } = boundedWork[service]
  const all: Record<string, HeavyWork> = { ...work, ...besides }
  it.each([...new Set<string>([...handlers, ...jobs, ...sweeps, ...Object.keys(besides)])])(
    `%s of ${service} writes 5,000 rows at most with a command, however much there is`,
    async (name) => {
      const { prepare, run, rows } = all[name] as HeavyWork
      await prepare?.()
      const commands = await commandsOf(name, run)
      expect(commands.filter((one) => one.rows > mostPerCommand)).toEqual([])
      expect(commands.reduce((sum, one) => sum + one.rows, 0)).toBeGreaterThanOrEqual(rows)
    },
    manyRows.areMeasured ? 2_400_000 : 600_000,
  )
}

/** Inserts rows, a thousand per command. */
export async function insertRows(
  connection: Connection,
  collection: string,
  count: number,
  row: (index: number) => object,
): Promise<void> {
  for (let from = 0; from < count; from += 1000) {
    const part = Array.from({ length: Math.min(1000, count - from) }, (_, at) => row(from + at))
    await connection.collection(collection).insertMany(part)
  }
}
