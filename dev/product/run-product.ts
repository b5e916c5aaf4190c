import { join } from 'node:path'
import { everyService } from '@sumlock/deployment/every-service'
import { seedDemoAccounts } from '@sumlock/jobs/demo-accounts'
import type { DemoAccounts } from '@sumlock/jobs/demo-accounts'
import { observingSettings, repoRoot } from '../config.ts'
import { freeBytes } from '../engines/disk-space.ts'
import { startEngines } from '../engines/engines.ts'
import { createChild } from '../processes/child.ts'
import type { Child } from '../processes/child.ts'
import { step } from '../processes/progress.ts'
import type { Progress } from '../processes/progress.ts'
import { claimRun } from '../processes/run-record.ts'
import { buildWeb } from './build-web.ts'
import { localPorts } from './local-ports.ts'
import type { LocalPorts } from './local-ports.ts'
import { requireFolder, requirePorts } from './preflight.ts'
import type { ProductOptions } from './product-options.ts'
import { makeAdmin, startServices } from './services.ts'

export interface Product {
  url: string
  /** The value is undefined when the demo accounts are switched off. */
  accounts: DemoAccounts | undefined
  logDir: string
  inboxUrl: string
  stop(): Promise<void>
}

/**
 * Starts the whole product on its ports with lasting data, and creates the demo accounts. Ends this process when a
 * part dies.
 */
export async function runProduct(options: ProductOptions, progress: Progress): Promise<Product> {
  const { dataDir, watch, oneProcess } = options
  const ports = localPorts(options.port)
  const logDir = join(dataDir, 'logs')
  const url = `http://localhost:${watch ? ports.vite : options.port}`
  requireFolder(dataDir)
  const run = await claimRun(dataDir, { command: watch ? 'npm run dev' : 'npm start', url }, progress)
  const started: { stop(): Promise<void> }[] = []
  const stop = async () => {
    for (const each of started.toReversed()) await each.stop()
    run.release()
  }
  let isEnding = false
  const endWhenOneDies = (children: readonly Child[]) => {
    for (const child of children)
      child.onUnexpectedExit((reason) => {
        // When one part has died, others that depend on it may die as well; only the first is reported.
        if (isEnding) return
        isEnding = true
        progress(deathReport(child, reason, dataDir))
        void stop().finally(() => process.exit(1))
      })
  }
  try {
    await requirePorts(ports, options.port)
    const webRoot = watch ? '' : await buildWeb(progress)
    const engines = await startEngines({ dataDir, ports: ports.engines, progress })
    started.push(engines)
    endWhenOneDies(engines.children)
    const stack = await startServices({
      addresses: engines.addresses,
      secrets: engines.secrets,
      namespace: 'sumlock',
      mode: 'local',
      ports: ports.services,
      logDir,
      webRoot,
      origins: watch ? [url, `http://127.0.0.1:${ports.vite}`, ...options.origins] : options.origins,
      env: environmentOf(options, progress),
      watch,
      oneProcess,
      progress,
    })
    started.push(stack)
    endWhenOneDies(stack.processes)
    run.update([...engines.children, ...stack.services])
    const seed = () => seedDemoAccounts(stack, (username) => makeAdmin(stack.service('auth'), username))
    const accounts = options.demoAccounts
      ? await step(progress, 'Checking the demo accounts', seed)
      : undefined
    if (watch) {
      const vite = createVite(ports, logDir)
      started.push(vite)
      await vite.start()
      endWhenOneDies([vite])
    }
    return { url, accounts, logDir, inboxUrl: engines.addresses.inboxUrl, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const createVite = ({ vite, services }: LocalPorts, logDir: string): Child =>
  createChild({
    name: 'vite',
    command: process.execPath,
    args: [join(repoRoot, 'node_modules/vite/bin/vite.js'), '--host=127.0.0.1', `--port=${vite}`],
    cwd: join(repoRoot, 'web'),
    env: { GATEWAY_URL: `http://127.0.0.1:${services.gateway[0]?.public}` },
    logDir,
    port: vite,
    healthUrl: `http://localhost:${vite}`,
  })

function deathReport(child: Child, reason: string, dataDir: string): string {
  const isFull = freeBytes(dataDir) < 100e6
  return [
    `${child.name} ${reason}; stopping the product.`,
    ...(isFull ? [`The disk of ${dataDir} is almost full: free some space there.`] : []),
    ...child.lastWords(5).map((line) => `  | ${line}`),
    `  its log: ${child.logFile}`,
  ].join('\n')
}

function environmentOf({ rateLimits, showPhoneCode }: ProductOptions, progress: Progress) {
  if (!rateLimits)
    progress('RATE LIMITS ARE OFF (SUMLOCK_RATE_LIMITS=off): for load tests on this machine only.')
  const observedAndLimited = { ...observingSettings, RATE_LIMITS: rateLimits ? 'on' : 'off' }
  return {
    ...everyService(observingSettings),
    gateway: observedAndLimited,
    realtime: observedAndLimited,
    auth: { ...observedAndLimited, SHOW_PHONE_CODE: showPhoneCode ? 'on' : 'off' },
  }
}
