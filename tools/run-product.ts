import { join } from 'node:path'
import { repoRoot } from '@sumlock/stack/config'
import { startEngines } from '@sumlock/stack/engines'
import { isListening } from '@sumlock/stack/ports'
import type { Progress } from '@sumlock/stack/progress'
import { step } from '@sumlock/stack/progress'
import { startServices } from '@sumlock/stack/services'
import type { Stack } from '@sumlock/stack/services'
import { enginePorts, servicePorts } from './local-ports.ts'
import { seedDemoAccounts } from './seed.ts'
import type { DemoAccounts } from './seed.ts'

export interface Product {
  stack: Stack
  accounts: DemoAccounts
  logDir: string
  inboxUrl: string
  stop(): Promise<void>
}

export interface ProductOptions {
  progress: Progress
  webRoot: string
  origins?: readonly string[]
  watch?: boolean
}

export const dataDir = join(repoRoot, '.data/start')

/** Brings up the whole product on its fixed ports with data that lasts, and seeds the demo accounts. */
export async function runProduct({
  progress,
  webRoot,
  origins = [],
  watch = false,
}: ProductOptions): Promise<Product> {
  await refuseTakenPorts()
  const logDir = join(dataDir, 'logs')
  const engines = await startEngines({ dataDir, ports: enginePorts, progress })
  const { addresses, secrets } = engines
  let stack: Stack | undefined
  const stop = async () => {
    await stack?.stop()
    await engines.stop()
  }
  try {
    const common = { addresses, secrets, namespace: 'sumlock', mode: 'local', ports: servicePorts } as const
    stack = await startServices({ ...common, logDir, webRoot, origins, watch, progress })
    const running = stack
    for (const child of [...engines.children, ...stack.services]) {
      child.onUnexpectedExit((reason) =>
        progress(`${child.name} ended (${reason}). Its log: ${child.logFile}`),
      )
    }
    const accounts = await step(progress, 'Looking after the demo accounts', () => seedDemoAccounts(running))
    return { stack, accounts, logDir, inboxUrl: addresses.inboxUrl, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function refuseTakenPorts(): Promise<void> {
  const doors = Object.values(servicePorts).flat()
  const ports = [
    ...Object.values<number>({ ...enginePorts }),
    ...doors.flatMap((door) => [door.public, door.internal]),
  ]
  const taken = (
    await Promise.all(ports.map(async (port) => ((await isListening(port)) ? [port] : [])))
  ).flat()
  if (taken.length > 0) {
    throw new Error(
      `Port ${taken.join(', ')} is already in use. If the product runs in another terminal, stop it there with Ctrl-C; otherwise end the program that holds the port.`,
    )
  }
}
