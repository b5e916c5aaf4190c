import { createEventInbox } from '@sumlock/bus/inbox'
import { openBus, openOutbox } from '@sumlock/bus/service-bus'
import { findPerson, getEntitlement, listEntitlementChanges } from '@sumlock/contracts/internal-routes'
import type { Person } from '@sumlock/contracts/internal-routes'
import { toAppError } from '@sumlock/service-kit/app-error'
import { backlogCountedTo } from '@sumlock/service-kit/backlog-metrics'
import { createSessionGuard } from '@sumlock/service-kit/caller'
import { createHintPublisher } from '@sumlock/service-kit/hint-publisher'
import { createLru } from '@sumlock/service-kit/lru'
import { createServiceBase, internalClient, openDatabase, openRedis } from '@sumlock/service-kit/service-base'
import type { Config } from './config.ts'
import { createEntitlementCache } from './infrastructure/entitlement-cache.ts'
import { createKeyedQueue } from './infrastructure/keyed-queue.ts'
import { createMemberCache } from './infrastructure/member-cache.ts'
import { createMessagingMetrics } from './metrics.ts'
import { migrations } from './migrations.ts'
import { createMessagePublisher } from './infrastructure/message-publisher.ts'
import { observeCommits } from './infrastructure/commit-observer.ts'
import { createConversationStore } from './stores/conversation-store.ts'
import { createEntitlementStore } from './stores/entitlement-store.ts'
import { createMessageStore } from './stores/message-store.ts'
import { createPersonStore } from './stores/person-store.ts'
import { createReportStore } from './stores/report-store.ts'

export type Context = Awaited<ReturnType<typeof createContext>>

/** Everything messaging works with, wired by hand. Resolves once all migrations are applied. */
export async function createContext(config: Config) {
  const base = await createServiceBase(config, 'messaging')
  const { clock, logger, tracing } = base
  const metrics = createMessagingMetrics(base.metrics)
  const connection = await openDatabase(base, migrations)
  const redis = openRedis(base)
  const bus = openBus(base)
  const auth = internalClient(base, config.AUTH_INTERNAL_URL)
  const billing = internalClient(base, config.BILLING_INTERNAL_URL)

  const messages = createMessageStore(connection, observeCommits(tracing, metrics))
  const conversations = createConversationStore(connection)
  const people = createPersonStore(connection)
  const entitlementStore = createEntitlementStore(connection)
  const outbox = openOutbox(
    base,
    { bus, connection },
    { messages: () => messages.unpublished(backlogCountedTo) },
  )
  const messagePublisher = createMessagePublisher({
    bus,
    publishHint: createHintPublisher(redis, metrics.registry).publish,
    namespace: config.SUMLOCK_NAMESPACE,
    messages,
    conversations,
    clock,
    logger,
    tracing,
  })
  base.onClose(() => messagePublisher.close())
  const inbox = createEventInbox({ connection, clock, logger })
  base.onClose(() => inbox.close())
  const askAuth = async (query: { userCode: string } | { userId: string }) =>
    (await auth.call(findPerson, { query: { userCode: undefined, userId: undefined, ...query } })).person

  return {
    ...base,
    metrics,
    connection,
    bus,
    outbox,
    guard: createSessionGuard(config.TOKEN_PUBLIC_KEYS, clock),
    messages,
    conversations,
    people,
    entitlementStore,
    reports: createReportStore(connection),
    messagePublisher,
    entitlements: createEntitlementCache((userIds) => entitlementStore.standingsOf(userIds), clock.nowMs),
    members: createMemberCache(async (id) => (await conversations.byId(id))?.memberIds ?? null, clock.nowMs),
    inbox,
    timeouts: { sendQueueMs: config.SEND_QUEUE_TIMEOUT_MS, storeMs: config.STORE_TIMEOUT_MS },
    /** One send at a time per conversation and process. */
    sending: createKeyedQueue((error) => toAppError(error).kind === 'unavailable'),
    /** Last acknowledged seq by conversation; deleted after any failed insert. */
    lastSeqs: createLru<string, number>(50_000),
    /** Free slots known to be spent; a spent slot stays spent. */
    takenSlots: createLru<string, true>(50_000),
    /** When billing last answered that a pair has no premium, in ms. */
    denials: createLru<string, number>(10_000),
    askAuth,
    askBilling: (userId: string) => billing.call(getEntitlement, { params: { userId } }),
    askEntitlementChanges: (since: Date) =>
      billing.call(listEntitlementChanges, { query: { since: since.toISOString() } }),
    /** People by id. Auth is asked about those that are missing in the projection. */
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
  }
}
