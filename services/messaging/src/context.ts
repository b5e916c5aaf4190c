import { createBus } from '@sumlock/bus/bus'
import { createOutbox } from '@sumlock/bus/outbox'
import { findPerson, getEntitlement } from '@sumlock/contracts/internal-routes'
import type { Person } from '@sumlock/contracts/internal-routes'
import { toAppError } from '@sumlock/service-kit/app-error'
import { backlogCountedTo, measureBacklog } from '@sumlock/service-kit/backlog-metrics'
import { createSessionGuard } from '@sumlock/service-kit/caller'
import { systemClock } from '@sumlock/service-kit/clock'
import { createHintPublisher } from '@sumlock/service-kit/hint-publisher'
import { createInternalClient } from '@sumlock/service-kit/internal-client'
import { createLogger } from '@sumlock/service-kit/logger'
import { runMigrations } from '@sumlock/service-kit/migrations'
import { connectMongo } from '@sumlock/service-kit/mongo'
import { createRedis } from '@sumlock/service-kit/redis'
import { startServiceTracing } from '@sumlock/service-kit/service-tracing'
import type { Config } from './config.ts'
import { createEntitlementCache } from './domain/entitlement-cache.ts'
import { createKeyedQueue } from './domain/keyed-queue.ts'
import { createMemberCache } from './domain/member-cache.ts'
import { createMessagingMetrics } from './metrics.ts'
import { migrations } from './migrations.ts'
import { createAnnouncer } from './stores/announcer.ts'
import { observeCommits } from './stores/commit-observer.ts'
import { createConversationStore } from './stores/conversation-store.ts'
import { createEntitlementStore } from './stores/entitlement-store.ts'
import { createMessageStore } from './stores/message-store.ts'
import { createPersonStore } from './stores/person-store.ts'

export type Context = Awaited<ReturnType<typeof createContext>>

/** Everything messaging works with, wired by hand. Resolves once the database has its newest shape. */
export async function createContext(config: Config) {
  const clock = systemClock(config.CLOCK_OFFSET_MS)
  const logger = createLogger({ service: 'messaging', instance: config.INSTANCE, level: config.LOG_LEVEL })
  const tracing = await startServiceTracing(config, logger, 'messaging')
  const connection = await connectMongo(config.MONGO_URL, logger)
  await runMigrations(connection, migrations, { clock, logger })
  const namespace = config.SUMLOCK_NAMESPACE
  const metrics = createMessagingMetrics()
  const bus = createBus({ brokers: config.KAFKA_BROKERS, clientId: config.INSTANCE, namespace, logger })
  const outbox = createOutbox({ connection, bus, clock, logger, source: 'messaging' })
  const redis = createRedis(config.REDIS_URL, logger)
  const client = (baseUrls: readonly string[]) =>
    createInternalClient({
      caller: 'messaging',
      secret: config.INTERNAL_SECRET,
      baseUrls,
      timeoutMs: config.INTERNAL_TIMEOUT_MS,
      tracing,
    })
  const auth = client(config.AUTH_INTERNAL_URL)
  const billing = client(config.BILLING_INTERNAL_URL)

  const messages = createMessageStore(connection, observeCommits(tracing, metrics))
  const conversations = createConversationStore(connection)
  const people = createPersonStore(connection)
  const entitlementStore = createEntitlementStore(connection)
  const announcer = createAnnouncer({
    bus,
    publishHint: createHintPublisher(redis, metrics.registry).publish,
    namespace,
    messages,
    conversations,
    clock,
    logger,
    tracing,
  })
  measureBacklog({
    ...{ registry: metrics.registry, name: 'outbox', clock },
    readers: {
      messages: () => messages.unpublished(backlogCountedTo),
      events: () => outbox.backlog(backlogCountedTo),
    },
  })
  const askAuth = async (query: { userCode: string } | { userId: string }) =>
    (await auth.call(findPerson, { query: { userCode: undefined, userId: undefined, ...query } })).person

  return {
    config,
    clock,
    logger,
    metrics,
    tracing,
    connection,
    bus,
    outbox,
    guard: createSessionGuard(config.TOKEN_PUBLIC_KEYS, clock),
    messages,
    conversations,
    people,
    entitlementStore,
    announcer,
    entitlements: createEntitlementCache((userIds) => entitlementStore.premiumUntil(userIds), clock.nowMs),
    members: createMemberCache(async (id) => (await conversations.byId(id))?.memberIds ?? null),
    timeouts: { sendQueueMs: config.SEND_QUEUE_TIMEOUT_MS, storeMs: config.STORE_TIMEOUT_MS },
    /** One send at a time per conversation and process. */
    sending: createKeyedQueue((error) => toAppError(error).kind === 'unavailable'),
    /** Last acknowledged seq by conversation; forgotten on any doubt. */
    lastSeqs: new Map<string, number>(),
    /** Free slots known to be spent; a spent slot stays spent. */
    takenSlots: new Set<string>(),
    /** When billing last said no to a pair, in ms. */
    denials: new Map<string, number>(),
    askAuth,
    askBilling: (userId: string) => billing.call(getEntitlement, { params: { userId } }),
    /** People by id; who is not in the projection yet is asked of auth. */
    findPeople: async (ids: readonly string[]): Promise<Map<string, Person>> => {
      const known = await people.byIds(ids)
      const unknown = ids.filter((userId) => !known.has(userId))
      const found = await Promise.all(unknown.map((userId) => askAuth({ userId }).catch(() => null)))
      for (const person of found) {
        if (!person) continue
        await people.save(person)
        known.set(person.userId, person)
      }
      return known
    },
    close: async () => {
      await announcer.close()
      await outbox.close()
      await bus.close()
      redis.disconnect()
      await connection.close()
      await tracing.close()
    },
  }
}
