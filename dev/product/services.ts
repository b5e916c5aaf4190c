import { join } from 'node:path'
import type { EngineAddresses } from '@sumlock/deployment/engine-addresses'
import { databaseUrls, provision } from '@sumlock/deployment/provision'
import type { Secrets } from '@sumlock/deployment/secrets'
import { serviceEnvironment, serviceNames } from '@sumlock/deployment/service-environment'
import type { PortPlan, ServiceName } from '@sumlock/deployment/service-environment'
import { serviceNodeFlags } from '@sumlock/deployment/service-node-flags'
import { migrateDatabases } from '@sumlock/jobs/migrate-databases'
import { instancesName, repoRoot } from '../config.ts'
import { createChild } from '../processes/child.ts'
import type { Child } from '../processes/child.ts'
import { answersOk, freePorts } from '../processes/ports.ts'
import { silent, step } from '../processes/progress.ts'
import type { Progress } from '../processes/progress.ts'
import { run } from '../processes/run.ts'
import { buildPrograms, programOf, sourceOf } from './build-programs.ts'
import type { ProgramName } from './build-programs.ts'

export interface StackOptions {
  addresses: EngineAddresses
  secrets: Secrets
  namespace: string
  mode: 'local' | 'test'
  logDir: string
  ports?: PortPlan
  /** Each service has this many instances: one when absent, and 0 for a service that nothing will call. */
  replicas?: Partial<Record<ServiceName, number>>
  /** The gateway serves the built web app from this folder; none when absent. */
  webRoot?: string
  /** Browsers may come from these origins, besides the gateway's own. */
  origins?: readonly string[]
  env?: Partial<Record<ServiceName, Record<string, string>>>
  logLevel?: string
  watch?: boolean
  /** When true, all instances run in one process, which stops and dies as a whole. */
  oneProcess?: boolean
  progress?: Progress
}

export interface ServiceProcess extends Child {
  readonly service: ServiceName
  readonly index: number
  readonly publicUrl: string
  readonly internalUrl: string
  readonly environment: Readonly<Record<string, string>>
}

export interface Stack {
  readonly gatewayUrl: string
  readonly addresses: EngineAddresses
  readonly secrets: Secrets
  readonly namespace: string
  readonly services: ServiceProcess[]
  /** Each service has a process, or all share one. */
  readonly processes: readonly Child[]
  service(name: ServiceName, index?: number): ServiceProcess
  stop(): Promise<void>
}

/**
 * Builds the services, provisions the namespace, migrates its databases and starts every instance. Resolves when all
 * instances are ready.
 */
export async function startServices(options: StackOptions): Promise<Stack> {
  const { addresses, secrets, namespace, progress = silent } = options
  const ports = options.ports ?? (await planPorts(options.replicas ?? {}))
  const gatewayPort = ports.gateway[0]?.public
  const gatewayUrl = `http://127.0.0.1:${gatewayPort}`
  const plan = {
    addresses,
    secrets,
    namespace,
    ports,
    mode: options.mode,
    webRoot: options.webRoot ?? '',
    publicOrigins: [...(options.origins ?? []), `http://localhost:${gatewayPort}`, gatewayUrl],
    logLevel: options.logLevel ?? 'info',
  }
  if (!options.watch) await buildPrograms(options.oneProcess ?? false, progress)
  await step(progress, 'Preparing databases and topics', () => provision(addresses, secrets, namespace))
  await step(progress, 'Migrating the databases', () =>
    migrateDatabases(databaseUrls(addresses, secrets, namespace)),
  )
  const instances = serviceNames.flatMap((service) =>
    ports[service].slice(0, options.replicas?.[service]).map((_, index): Instance => {
      const environment = { ...serviceEnvironment(service, index, plan), ...options.env?.[service] }
      return { service, index, environment, ...addressesOf(environment) }
    }),
  )
  const shared = options.oneProcess ? createSharedProcess(instances, options) : undefined
  const services = instances.map((instance) => createService(instance, options, shared))
  const processes = shared ? [shared] : services
  const stop = async () => {
    // The gateway stops first, so that no new request arrives while the other services finish theirs.
    const gateways = services.filter(({ service }) => service === 'gateway')
    await Promise.all(gateways.map((instance) => instance.stop()))
    await Promise.all(services.map((instance) => instance.stop()))
  }
  try {
    await step(progress, `Starting ${services.length} services`, () =>
      Promise.all(processes.map((each) => each.start())),
    )
  } catch (error) {
    await stop()
    throw error
  }
  const find = (name: ServiceName, index = 0) => {
    const found = services.find((instance) => instance.service === name && instance.index === index)
    if (!found) throw new Error(`There is no ${name}-${index + 1} in this stack`)
    return found
  }
  return { gatewayUrl, addresses, secrets, namespace, services, processes, service: find, stop }
}

type Instance = Pick<ServiceProcess, 'service' | 'index' | 'publicUrl' | 'internalUrl' | 'environment'>

const addressesOf = (environment: Readonly<Record<string, string>>) => ({
  publicUrl: `http://127.0.0.1:${environment['PORT']}`,
  internalUrl: `http://127.0.0.1:${environment['INTERNAL_PORT']}`,
})

const readyUrlOf = ({ internalUrl }: Instance) => `${internalUrl}/readyz`

/** Returns an instance, which has a process of its own or is part of the shared one. */
function createService(instance: Instance, options: StackOptions, shared: Child | undefined): ServiceProcess {
  const { service, index, environment } = instance
  const own = {
    name: `${service}-${index + 1}`,
    port: Number(environment['PORT']),
    healthUrl: readyUrlOf(instance),
  }
  const child = shared ?? createChild({ ...own, ...nodeProcess(service, environment, options) })
  return Object.assign(Object.create(child) as Child, own, instance)
}

function createSharedProcess(instances: readonly Instance[], options: StackOptions): Child {
  const environments = instances.map(({ service, environment }) => ({ service, environment }))
  return createChild({
    name: 'services',
    port: Number(instances[0]?.environment['PORT']),
    ready: async () => (await Promise.all(instances.map(readyUrlOf).map(answersOk))).every(Boolean),
    ...nodeProcess('one-process', { [instancesName]: JSON.stringify(environments) }, options),
  })
}

function nodeProcess(
  program: ProgramName,
  environment: Readonly<Record<string, string>>,
  { logDir, watch = false }: StackOptions,
) {
  // With `--watch`, Node restarts a program when a file it imports changes, so it runs from the sources.
  const script = watch ? ['--watch', '--watch-preserve-output', sourceOf(program)] : [programOf(program)]
  return {
    command: process.execPath,
    args: [...serviceNodeFlags, ...script],
    cwd: repoRoot,
    env: {
      ...(watch && { NODE_COMPILE_CACHE: join(repoRoot, '.data/compiled') }),
      ...environment,
    },
    logDir,
  }
}

async function planPorts(replicas: Partial<Record<ServiceName, number>>): Promise<PortPlan> {
  // A service without instances has an address as well, because the settings of other services need one.
  const counts = serviceNames.map((service) => [service, replicas[service] || 1] as const)
  const ports = await freePorts(2 * counts.reduce((sum, [, count]) => sum + count, 0))
  const pair = () => ({ public: ports.pop() as number, internal: ports.pop() as number })
  return Object.fromEntries(
    counts.map(([service, count]) => [service, Array.from({ length: count }, pair)]),
  ) as PortPlan
}

/** Makes a user an administrator with auth's own command, as an operator does. */
export async function makeAdmin(
  { environment }: Pick<ServiceProcess, 'environment'>,
  username: string,
): Promise<void> {
  const script = join(repoRoot, 'services/auth/src/commands/set-admin.ts')
  await run(process.execPath, ['--disable-warning=ExperimentalWarning', script, username], {
    env: environment,
  })
}
