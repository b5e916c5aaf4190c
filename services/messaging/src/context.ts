import type { Readable } from 'node:stream'
import { openBus, openOutbox } from '@sumlock/bus/service-bus'
import {
  findPerson,
  getEntitlement,
  listEntitlementChanges,
  listPersonChanges,
} from '@sumlock/contracts/internal-routes'
import type { Person } from '@sumlock/contracts/internal-routes'
import { createAdminActionStore } from '@sumlock/service-kit/admin-actions'
import { toAppError } from '@sumlock/service-kit/app-error'
import { backlogCountedTo } from '@sumlock/service-kit/backlog-metrics'
import { createSessionGuard } from '@sumlock/service-kit/caller'
import { createHintPublisher } from '@sumlock/service-kit/hint-publisher'
import { openJobs } from '@sumlock/service-kit/jobs'
import { createKeyedQueue } from '@sumlock/service-kit/keyed-queue'
import { createLease } from '@sumlock/service-kit/lease'
import type { LeaseRow } from '@sumlock/service-kit/lease'
import { createLru } from '@sumlock/service-kit/lru'
import { openDatabase } from '@sumlock/service-kit/open-database'
import { createPurges } from '@sumlock/service-kit/purges'
import { createServiceBase, internalClient, openRedis } from '@sumlock/service-kit/service-base'
import { createUnconfirmedRecords } from '@sumlock/service-kit/unconfirmed-records'
import type { Config } from './config.ts'
import type { Position } from './domain/message.ts'
import { createEntitlementCache } from './infrastructure/entitlement-cache.ts'
import { createKeyLearner } from './infrastructure/key-learner.ts'
import { createPollInterval } from './domain/poll-interval.ts'
import { createMemberHints } from './infrastructure/member-hints.ts'
import { createMemberMemory } from './infrastructure/member-memory.ts'
import { createReportSealing } from './infrastructure/report-sealing.ts'
import { createMessagingMetrics } from './metrics.ts'
import { migrations } from './migrations.ts'
import { createMessagePublisher } from './infrastructure/message-publisher.ts'
import { observeCommits } from './infrastructure/commit-observer.ts'
import { openBuckets } from './stores/buckets.ts'
import { createEntitlementStore } from './stores/entitlement-store.ts'
import { createMediaStore } from './stores/media-store.ts'
import { createMediaUsage } from './stores/media-usage.ts'
import { createMemberActivity } from './stores/member-activity.ts'
import { createMemberClearing } from './stores/member-clearing.ts'
import { createMemberErasure } from './stores/member-erasure.ts'
import { createMemberList } from './stores/member-list.ts'
import { createMemberState } from './stores/member-state.ts'
import { createMessageStore } from './stores/message-store.ts'
import { createMultipartStore } from './stores/multipart-store.ts'
import { createPersonStore } from './stores/person-store.ts'
import { createReportStore } from './stores/report-store.ts'
import { createSlotStore } from './stores/slot-store.ts'
import type { MediaReader } from './use-cases/shown-media.ts'

export type Context = Awaited<ReturnType<typeof createContext>>

/** Everything messaging works with, wired by hand. Resolves once all migrations are applied. */
export async function createContext(config: Config) {
  const base = createServiceBase(config, 'messaging')
  const { clock, logger, tracing } = base
  const metrics = createMessagingMetrics(base.metrics)
  const unconfirmedRecords = createUnconfirmedRecords(metrics.registry)
  const connection = await openDatabase(base, migrations)
  const redis = openRedis(base)
  const bus = openBus(base)
  const auth = internalClient(base, config.AUTH_INTERNAL_URL)
  const billing = internalClient(base, config.BILLING_INTERNAL_URL)
  base.onWarmUp(() => auth.call(listPersonChanges, { query: { since: base.clock.now().toISOString() } }))

  const { mediaBucket, multipartBucket } = openBuckets(base)

  const messages = createMessageStore(connection, observeCommits(tracing, metrics))
  const memberList = createMemberList(connection)
  const memberActivity = createMemberActivity(connection)
  const mediaUsage = createMediaUsage(connection)
  const people = createPersonStore(connection)
  const entitlementStore = createEntitlementStore(connection)
  const outbox = openOutbox(
    base,
    { bus, connection },
    { messages: () => messages.unpublished(backlogCountedTo) },
  )
  const memberHints = createMemberHints(
    createHintPublisher(redis, metrics.registry),
    config.SUMLOCK_NAMESPACE,
  )
  const messagePublisher = createMessagePublisher({
    bus,
    memberHints,
    messages,
    sweepLease: createLease(connection.collection<LeaseRow>('leases'), 'message sweep', config.INSTANCE),
    memberActivity,
    clock,
    logger,
    tracing,
  })
  base.onClose(() => messagePublisher.close())
  const entitlements = createEntitlementCache({
    read: (userIds) => entitlementStore.standingsOf(userIds),
    changes: entitlementStore.followChanges(),
    nowMs: clock.nowMs,
  })
  const savePerson = async (person: Person) => {
    await people.save(person)
    const newest = person.keys?.at(-1)
    if (!newest) return
    await entitlementStore.raiseKeyEpoch(person.userId, newest.epoch)
    entitlements.drop(person.userId)
  }
  const askAuth = async (query: { userCode: string } | { userId: string }) =>
    (await auth.call(findPerson, { query: { userCode: undefined, userId: undefined, ...query } })).person

  /** People by id. Auth is asked about those that are missing in the projection. */
  const findPeople = async (ids: readonly string[]): Promise<Map<string, Person>> => {
    const known = await people.byIds(ids)
    const unknown = ids.filter((userId) => !known.has(userId))
    const found = await Promise.all(unknown.map((userId) => askAuth({ userId }).catch(() => null)))
    for (const person of found) {
      if (!person) continue
      await savePerson(person)
      known.set(person.userId, person)
    }
    return known
  }

  return {
    ...base,
    metrics,
    unconfirmedRecords,
    purges: createPurges({ auth, unconfirmed: unconfirmedRecords, logger }),
    connection,
    bus,
    outbox,
    guard: createSessionGuard(config.TOKEN_PUBLIC_KEYS, clock, 'messaging'),
    messages,
    slots: createSlotStore(connection),
    memberList,
    memberActivity,
    memberState: createMemberState(connection),
    memberClearing: createMemberClearing(connection),
    memberErasure: createMemberErasure(connection),
    people,
    entitlementStore,
    media: createMediaStore(connection, mediaUsage),
    mediaUsage,
    multiparts: createMultipartStore(connection, mediaUsage),
    /** Who reads the bytes that are on their way. */
    runningReads: new Map<Readable, MediaReader>(),
    mediaBucket,
    multipartBucket,
    adminActions: createAdminActionStore(connection),
    reports: createReportStore(connection),
    reportSealing: createReportSealing(config.REPORT_KEYS),
    messagePublisher,
    memberHints,
    entitlements,
    savePerson,
    members: createMemberMemory({
      read: memberList.rememberedOf,
      changes: memberList.followChanges(),
      nowMs: clock.nowMs,
    }),
    jobs: openJobs(base, connection, ['purge', 'clear', 'empty']),
    timeouts: { sendQueueMs: config.SEND_QUEUE_TIMEOUT_MS, storeMs: config.STORE_TIMEOUT_MS },
    /** One send at a time per conversation and process. */
    sending: createKeyedQueue((error) => toAppError(error).kind === 'unavailable'),
    /** One reservation of storage at a time per person and process. */
    reservingUploads: createKeyedQueue((error) => toAppError(error).kind === 'unavailable'),
    /** Position after the last acknowledged message by conversation; deleted after any failed insert. */
    lastPositions: createLru<string, Position>(50_000),
    /** Free slots known to be spent; a spent slot stays spent. */
    takenSlots: createLru<string, true>(50_000),
    /** Until when a send of a pair must have arrived for billing's last "no" to hold for it (`performance.now()`, ms). */
    deniedUntil: createLru<string, number>(10_000),
    /** For the next poll of changes; each call counts as one. */
    nextPollAfterMs: createPollInterval(clock.nowMs, Math.random),
    askAuth,
    learnKeys: createKeyLearner({ askAuth, savePerson, clock, logger }),
    askBilling: (userId: string) => billing.call(getEntitlement, { params: { userId } }),
    askEntitlementChanges: (since: Date) =>
      billing.call(listEntitlementChanges, { query: { since: since.toISOString() } }),
    askPersonChanges: (since: Date) =>
      auth.call(listPersonChanges, { query: { since: since.toISOString() } }),
    findPeople,
    usernamesOf: async (ids: readonly string[]): Promise<ReadonlyMap<string, string>> =>
      new Map([...(await findPeople(ids))].map(([id, { username }]) => [id, username])),
  }
}
