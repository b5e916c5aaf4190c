import { join } from 'node:path'
import { seedDemoAccounts } from '@sumlock/jobs/demo-accounts'
import type { DemoAccounts } from '@sumlock/jobs/demo-accounts'
import type { Child } from '../processes/child.ts'
import { claimRun } from '../processes/claim-run.ts'
import { observingSettings } from '../config.ts'
import { diskWarning } from '../engines/disk-space.ts'
import { startEngines } from '../engines/engines.ts'
import type { Engines } from '../engines/engines.ts'
import { everyService } from '@sumlock/deployment/every-service'
import type { Probe } from '../engines/probe.ts'
import { step } from '../processes/progress.ts'
import type { Progress } from '../processes/progress.ts'
import { startServices } from './services.ts'
import type { Stack } from './services.ts'
import { createSupervisor } from '../processes/supervise.ts'
import type { Supervisor } from '../processes/supervise.ts'
import { makeAdmin } from './make-admin.ts'
import { localPorts } from './local-ports.ts'
import type { LocalPorts } from './local-ports.ts'
import { reportTo } from './report-to.ts'
import { requireFolder, requirePorts } from './preflight.ts'
import type { ProductOptions } from './product-options.ts'
import { watchDisk } from './watch-disk.ts'

export interface Product {
  stack: Stack
  supervisor: Supervisor
  /** None where they are not wanted. */
  accounts: DemoAccounts | undefined
  ports: LocalPorts
  logDir: string
  inboxUrl: string
  stop(): Promise<void>
}

export interface RunOptions extends ProductOptions {
  /** As a person typed it. */
  command: string
  url: string
  progress: Progress
  webRoot: () => Promise<string>
}

/** Brings up the whole product on its ports with data that lasts, seeds the demo accounts, and looks after all of it. */
export async function runProduct({
  dataDir,
  port,
  command,
  url,
  progress,
  rateLimits,
  origins,
  demoAccounts,
  showPhoneCode,
  ...options
}: RunOptions): Promise<Product> {
  const ports = localPorts(port)
  const logDir = join(dataDir, 'logs')
  requireFolder(dataDir)
  const run = await claimRun({ dataDir, logDir, command, url, progress })
  let engines: Engines | undefined
  let stack: Stack | undefined
  const cause = () => diskWarning(dataDir)
  const report = reportTo(join(logDir, 'supervisor.log'), progress)
  const supervisor = createSupervisor({ report, onChange: (parts) => run.update(parts), cause })
  const stopWatchingDisk = watchDisk(cause, report)
  const stop = async () => {
    stopWatchingDisk()
    supervisor.stop()
    await stack?.stop()
    await engines?.stop()
    run.release()
  }
  try {
    await requirePorts(ports, port)
    const webRoot = await options.webRoot()
    engines = await startEngines({ dataDir, ports: ports.engines, progress })
    for (const child of engines.children) supervisor.watch(child, probeOf(child, ports))
    const { addresses, secrets } = engines
    const common = { addresses, secrets, namespace: 'sumlock', mode: 'local', ports: ports.services } as const
    if (!rateLimits)
      report('RATE LIMITS ARE OFF (SUMLOCK_RATE_LIMITS=off): for load tests on this machine only.')
    const gateway = { ...observingSettings, RATE_LIMITS: rateLimits ? 'on' : 'off' }
    const realtime = { ...observingSettings, ...(rateLimits ? {} : { HANDSHAKES_PER_ADDRESS: '100000' }) }
    const auth = { ...observingSettings, SHOW_PHONE_CODE: showPhoneCode ? 'on' : 'off' }
    const env = { ...everyService(observingSettings), gateway, realtime, auth }
    stack = await startServices({ ...common, logDir, webRoot, origins, env, progress })
    for (const service of stack.services) {
      const health = { url: `${service.internalUrl}/readyz`, port: Number(new URL(service.publicUrl).port) }
      supervisor.watch(service, { kind: 'http', ...health })
    }
    const running = stack
    const seed = () => seedDemoAccounts(running, (username) => makeAdmin(running, username))
    const accounts = demoAccounts ? await step(progress, 'Looking after the demo accounts', seed) : undefined
    return { stack, supervisor, accounts, ports, logDir, inboxUrl: addresses.inboxUrl, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function probeOf({ name }: Child, { engines }: LocalPorts): Probe {
  if (name === 'mongo' || name === 'kafka' || name === 'redis') return { kind: name, port: engines[name] }
  return { kind: 'http', url: `http://127.0.0.1:${engines.inbox}/email`, port: engines.inbox }
}
