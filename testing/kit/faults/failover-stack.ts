import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { databaseOwners, databaseUrl } from '@sumlock/deployment/provision'
import { redisUrlOf } from '@sumlock/dev/engines/engines'
import { redisUrls } from '@sumlock/deployment/redis-users'
import type { Stack } from '@sumlock/dev/product/services'
import { startTestStack } from '../engines.ts'
import { randomNamespace, testEngines } from '../test-engines.ts'
import { startBrokerCluster } from './broker-cluster.ts'
import type { BrokerCluster } from './broker-cluster.ts'
import type { Place } from './places.ts'
import { startReplicaSet } from './replica-set.ts'
import type { ReplicaSet } from './replica-set.ts'
import { createTcpProxy } from './tcp-proxy.ts'
import type { TcpProxy } from './tcp-proxy.ts'

/** The stack has its own three members of MongoDB and three Kafka brokers. */
export interface FailoverStack extends Stack {
  readonly set: ReplicaSet
  readonly cluster: BrokerCluster
  /** Gateways reach Redis through this proxy. While it is cut, they get locks only from auth. */
  readonly hints: TcpProxy
}

/**
 * Starts the engines and the services, with the product's own time limits. `stop` removes the data and keeps the logs
 * below `artifacts/logs`.
 */
export async function startFailoverStack(logName: string, places: readonly Place[]): Promise<FailoverStack> {
  const { addresses, secrets } = await testEngines()
  const folder = await mkdtemp(join(tmpdir(), 'sumlock-failover-'))
  const opened: (() => Promise<unknown>)[] = []
  const release = async () => {
    for (const close of opened.reverse()) await close()
    const kept = join(repoRoot, 'artifacts/logs', logName)
    await rm(kept, { recursive: true, force: true })
    await cp(join(folder, 'logs'), kept, { recursive: true }).catch(() => undefined)
    for (const number of [1, 2, 3])
      await cp(join(folder, `broker-${number}/logs`), join(kept, `broker-${number}`), {
        recursive: true,
      }).catch(() => undefined)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const set = await startReplicaSet(folder, places, secrets.mongoAdminPassword)
    opened.push(() => set.stop())
    const cluster = await startBrokerCluster(folder, places)
    opened.push(() => cluster.stop())
    const hints = await createTcpProxy(Number(new URL(addresses.redisUrl).port))
    opened.push(() => hints.close())
    const engines = {
      mongoAdminUrl: set.adminUrl,
      kafkaBrokers: cluster.addresses,
      kafkaAdminPassword: '',
    }
    const hintsUrl = redisUrlOf(hints.port, secrets.redisPassword)
    const namespace = randomNamespace()
    const databases = Object.fromEntries(
      databaseOwners.map((owner) => {
        const url = set.withAllMembers(databaseUrl({ ...addresses, ...engines }, secrets, namespace, owner))
        return [owner, { MONGO_URL: url }]
      }),
    )
    const stack = await startTestStack({
      namespace,
      timeouts: 'default',
      engines,
      replicas: { gateway: 2, auth: 2 },
      env: { ...databases, gateway: redisUrls(hintsUrl, secrets, namespace, 'gateway') },
    })
    opened.push(() => stack.stop())
    return { ...stack, set, cluster, hints, stop: release }
  } catch (error) {
    await release()
    throw error
  }
}
