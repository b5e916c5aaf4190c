import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEngines } from '@sumlock/dev/engines/engines'
import type { Engines } from '@sumlock/dev/engines/engines'
import type { ServiceName } from '@sumlock/deployment/service-environment'
import { startServices } from '@sumlock/dev/product/services'
import type { Stack } from '@sumlock/dev/product/services'
import { engineVersions, machine } from './machine.ts'
import type { Measured } from './process-usage.ts'

type ServiceEnv = Partial<Record<ServiceName, Record<string, string>>>

export interface Workbench {
  stack: Stack
  /** Services and engines, one process each. */
  processes: Measured[]
  /** One line for a report: date, machine, versions. */
  where: string
  progress: (line: string) => void
}

export interface BenchPlan<P> {
  /** People and data, made while the services run as in tests: cheap hashes, codes shown. */
  prepare: (stack: Stack, progress: Workbench['progress']) => Promise<P>
  /** Resolves with whether nothing was lost. */
  measure: (bench: Workbench, prepared: P) => Promise<boolean>
  /** More environment for the services that are measured. */
  env?: ServiceEnv
}

/** `npm run bench:… -- --small`: some seconds, to see that it works; writes no document. */
export const isSmall = process.argv.includes('--small')

const secure = { COOKIE_SECURE: 'true' }
const production = { SUMLOCK_MODE: 'production' }

/**
 * What is measured is what production runs: answers are not checked, hashes cost what they cost, logs are as they are.
 * The gateway alone stays in test mode, where all it does differently is to let rate limits be off: one address sends all.
 */
const asInProduction: Record<ServiceName, Record<string, string>> = {
  gateway: secure,
  auth: { ...production, ...secure, BCRYPT_COST: '10' },
  messaging: production,
  billing: production,
  notify: production,
  realtime: { ...production, ...secure },
}

/** Starts engines and services of its own, prepares, starts the services again as in production, measures, and ends the process. */
export async function runBench<P>({ prepare, measure, env = {} }: BenchPlan<P>): Promise<never> {
  const progress = (line: string) => process.stderr.write(`  ${line}\n`)
  const dataDir = await mkdtemp(join(tmpdir(), 'sumlock-bench-'))
  const machineNow = machine()
  let [stack, engines]: [Stack?, Engines?] = []
  const stop = async () => {
    await stack?.stop()
    await engines?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void stop().finally(() => process.exit(1)))

  try {
    engines = await startEngines({ dataDir, progress })
    const { addresses, secrets } = engines
    const common = {
      ...({ addresses, secrets, namespace: 'bench', mode: 'test', progress } as const),
      logDir: join(dataDir, 'logs'),
    }
    stack = await startServices({
      ...common,
      logLevel: 'warn',
      env: { gateway: secure, auth: secure, realtime: secure },
    })
    const prepared = await prepare(stack, progress)
    await stack.stop()
    stack = await startServices({ ...common, env: merged(asInProduction, env) })
    const children = [...stack.services, ...engines.children.filter(({ name }) => name !== 'inbox')]
    const processes = children.flatMap(({ name, pid }) => (pid === undefined ? [] : [{ name, pid }]))
    const engineNames = new Set(engines.children.map(({ name }) => name))
    const versions = await engineVersions(processes.filter(({ name }) => engineNames.has(name)))
    const where = `${new Date().toISOString().slice(0, 10)}. ${machineNow}. ${versions}. One instance of each service.`
    process.exitCode = (await measure({ stack, processes, where, progress }, prepared)) ? 0 : 1
  } finally {
    await stop()
  }
  process.exit()
}

function merged(base: Record<ServiceName, Record<string, string>>, more: ServiceEnv): ServiceEnv {
  return Object.fromEntries(
    Object.entries(base).map(([name, env]) => [name, { ...env, ...more[name as ServiceName] }]),
  )
}
