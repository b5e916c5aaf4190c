import { join } from 'node:path'
import { seedDemoAccounts } from '@sumlock/jobs/demo-accounts'
import type { DemoAccounts } from '@sumlock/jobs/demo-accounts'
import type { Child } from '../processes/child.ts'
import { claimRun } from '../processes/claim-run.ts'
import { observingSettings } from '../config.ts'
import { diskWarning } from '../engines/disk-space.ts'
import { startEngines } from '../engines/engines.ts'
import type { EngineName, Engines } from '../engines/engines.ts'
import { everyService } from '@sumlock/deployment/every-service'
import { step } from '../processes/progress.ts'
import type { Progress } from '../processes/progress.ts'
import type { PartRecord } from '../processes/run-record.ts'
import { startServices } from './services.ts'
import type { Stack } from './services.ts'
import { makeAdmin } from './make-admin.ts'
import { localPorts } from './local-ports.ts'
import type { LocalPorts } from './local-ports.ts'
import { requireFolder, requirePorts } from './preflight.ts'
import type { ProductOptions } from './product-options.ts'

export interface Product {
  /** Absent when the demo accounts are switched off. */
  accounts: DemoAccounts | undefined
  logDir: string
  inboxUrl: string
  /** Ends the product when this process dies, too. */
  endOnDeath(children: readonly Child[]): void
  stop(): Promise<void>
}

export interface RunOptions extends ProductOptions {
  /** As a person types it: `npm start`. */
  command: string
  url: string
  progress: Progress
  webRoot: () => Promise<string>
  /** Restart services when a file they import changes. */
  watch?: boolean
}

/** Brings up the whole product on its ports with lasting data, and seeds the demo accounts. Ends it when a part dies. */
export async function runProduct(options: RunOptions): Promise<Product> {
  const { dataDir, progress } = options
  const ports = localPorts(options.port)
  const logDir = join(dataDir, 'logs')
  requireFolder(dataDir)
  const run = await claimRun({ dataDir, command: options.command, url: options.url, progress })
  let engines: Engines | undefined
  let stack: Stack | undefined
  const stop = async () => {
    await stack?.stop()
    await engines?.stop()
    run.release()
  }
  let isEnding = false
  const endOnDeath = (children: readonly Child[]) => {
    for (const child of children)
      child.onUnexpectedExit((reason) => {
        // The parts that depend on a dead one may follow it.
        if (isEnding) return
        isEnding = true
        progress(deathReport(child, reason, dataDir))
        void stop().finally(() => process.exit(1))
      })
  }
  try {
    await requirePorts(ports, options.port)
    const webRoot = await options.webRoot()
    engines = await startEngines({ dataDir, ports: ports.engines, progress })
    endOnDeath(engines.children)
    stack = await startServices({
      addresses: engines.addresses,
      secrets: engines.secrets,
      namespace: 'sumlock',
      mode: 'local',
      ports: ports.services,
      logDir,
      webRoot,
      origins: options.origins,
      env: environmentOf(options),
      watch: options.watch ?? false,
      progress,
    })
    endOnDeath(stack.services)
    run.update([
      ...engines.children.map((child) => enginePart(child, ports)),
      ...stack.services.map(servicePart),
    ])
    const running = stack
    const seed = () => seedDemoAccounts(running, (username) => makeAdmin(running, username))
    const accounts = options.demoAccounts
      ? await step(progress, 'Checking the demo accounts', seed)
      : undefined
    return { accounts, logDir, inboxUrl: engines.addresses.inboxUrl, endOnDeath, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function deathReport(child: Child, reason: string, dataDir: string): string {
  const lines = [`${child.name} ${reason}; stopping the product.`, diskWarning(dataDir) ?? []].flat()
  const log = child.lastWords(5).map((line) => `  | ${line}`)
  return [...lines, ...log, `  its log: ${child.logFile}`].join('\n')
}

function environmentOf({ rateLimits, showPhoneCode, progress }: RunOptions) {
  if (!rateLimits)
    progress('RATE LIMITS ARE OFF (SUMLOCK_RATE_LIMITS=off): for load tests on this machine only.')
  return {
    ...everyService(observingSettings),
    gateway: { ...observingSettings, RATE_LIMITS: rateLimits ? 'on' : 'off' },
    realtime: { ...observingSettings, ...(rateLimits ? {} : { HANDSHAKES_PER_ADDRESS: '100000' }) },
    auth: { ...observingSettings, SHOW_PHONE_CODE: showPhoneCode ? 'on' : 'off' },
  }
}

const enginePart = ({ name, pid = 0 }: Child, { engines }: LocalPorts): PartRecord => ({
  name,
  pid,
  port: engines[name as EngineName],
})

const servicePart = ({ name, pid = 0, publicUrl, internalUrl }: Stack['services'][number]): PartRecord => ({
  name,
  pid,
  port: Number(new URL(publicUrl).port),
  healthUrl: `${internalUrl}/readyz`,
})
