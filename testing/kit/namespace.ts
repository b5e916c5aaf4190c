import { databaseUrls, provision, unprovision } from '@sumlock/deployment/provision'
import { serviceEnvironment, serviceNames } from '@sumlock/deployment/service-environment'
import type { PortPlan, ServiceName } from '@sumlock/deployment/service-environment'
import { migrateDatabases } from '@sumlock/jobs/migrate-databases'
import type { RunningStack } from './shared-stack.ts'
import { randomNamespace, testEngines } from './test-engines.ts'

export interface Namespace extends Pick<RunningStack, 'addresses' | 'secrets' | 'namespace'> {
  /** Returns the environment of a process. Processes with different indexes get different names. */
  environmentOf(service: ServiceName, index?: number): Record<string, string>
  close(): Promise<void>
}

const processes = 3
/** No process listens on these ports. */
const nowhere = { public: 1, internal: 1 }

/** Creates migrated databases, topics and a bucket without starting services, for contexts inside the test process. */
export async function openNamespace(): Promise<Namespace> {
  const { addresses, secrets } = await testEngines()
  const namespace = randomNamespace()
  await provision(addresses, secrets, namespace)
  await migrateDatabases(databaseUrls(addresses, secrets, namespace))
  const instances = Array.from({ length: processes }, () => nowhere)
  const ports = Object.fromEntries(serviceNames.map((name) => [name, instances])) as PortPlan
  const plan = {
    addresses,
    secrets,
    namespace,
    ports,
    mode: 'test',
    webRoot: '',
    logLevel: 'silent',
  } as const
  const publicOrigins = ['http://localhost']
  return {
    addresses,
    secrets,
    namespace,
    environmentOf: (service, index = 0) => serviceEnvironment(service, index, { ...plan, publicOrigins }),
    close: () => unprovision(addresses, namespace),
  }
}
