import type { Readable } from 'node:stream'
import type { Connection } from 'mongoose'
import { openBus, openOutbox } from '@sumlock/bus/service-bus'
import { getEntitlement, listEntitlementChanges, listPersonChanges } from '@sumlock/contracts/internal-routes'
import { createAdminActionStore } from '@sumlock/service-kit/admin-actions'
import { toAppError } from '@sumlock/service-kit/app-error'
import { backlogCountedTo } from '@sumlock/service-kit/backlog-metrics'
import { createSessionGuard } from '@sumlock/service-kit/caller'
import { createHintPublisher } from '@sumlock/service-kit/hint-publisher'
import type { InternalClient } from '@sumlock/service-kit/internal-client'
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
import { createPeopleDirectory } from './infrastructure/people-directory.ts'
import { createMemberMemory } from './infrastructure/member-memory.ts'
import { createReportSealing } from './infrastructure/report-sealing.ts'
import { createMessagingMetrics } from './metrics.ts'
import { migrations } from './migrations.ts'
import { createMessagePublisher } from './infrastructure/message-publisher.ts'
import { observeCommits } from './infrastructure/commit-observer.ts'
import { openBuckets } from './stores/buckets.ts'
import { createActCounts } from './stores/act-counts.ts'
import { createCursorStore } from './stores/cursor-store.ts'
import { createEntitlementStore } from './stores/entitlement-store.ts'
import { createMediaStore } from './stores/media-store.ts'
import { createMediaUsage } from './stores/media-usage.ts'
import { createMemberActivity } from './stores/member-activity.ts'
import { createMemberClearing } from './stores/member-clearing.ts'
import { createMemberErasure } from './stores/member-erasure.ts'
import { createMemberList } from './stores/member-list.ts'
import { createMemberState } from './stores/member-state.ts'
import { createMemberVersions } from './stores/member-versions.ts'
import { createMessageStore } from './stores/message-store.ts'
import { createMultipartStore } from './stores/multipart-store.ts'
import { createPersonStore } from './stores/person-store.ts'
import { createReportStore } from './stores/report-store.ts'
import { createSlotStore } from './stores/slot-store.ts'
import type { MediaReader } from './use-cases/shown-media.ts'

export type Context = Awaited<ReturnType<typeof createContext>>

/** Creates and connects the parts of messaging. Resolves once all migrations are applied. */
export async function createContext(config: Config) {
  const base = createServiceBase(config, 'messaging')
  const { clock, logger, tracing } = base
  const metrics = createMessagingMetrics(base.metrics)
  const unconfirmedRecords = createUnconfirmedRecords(metrics.registry)
  const connection = await openDatabase(base, migrations)
  const bus = openBus(base)
  const auth = internalClient(base, config.AUTH_INTERNAL_URL)
  const billing = internalClient(base, config.BILLING_INTERNAL_URL)
  base.onWarmUp(() => auth.call(listPersonChanges, { query: { since: base.clock.now().toISOString() } }))

  const { mediaBucket, multipartBucket } = openBuckets(base)

  const messages = createMessageStore(connection, observeCommits(tracing, metrics))
  const memberList = createMemberList(connection)
  const memberActivity = createMemberActivity(connection)
  const people = createPersonStore(connection)
  const entitlementStore = createEntitlementStore(connection)
  const outbox = openOutbox(
    base,
    { bus, connection },
    { messages: () => messages.unpublished(backlogCountedTo) },
  )
  const hints = createHintPublisher(openRedis(base), metrics.registry)
  const memberHints = createMemberHints(hints, config.SUMLOCK_NAMESPACE)
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
    read: (userIds) => entitlementStore.statusesOf(userIds),
    changes: entitlementStore.followChanges(),
    nowMs: () => performance.now(),
  })
  const directory = createPeopleDirectory({ auth, people, entitlementStore, entitlements })

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
    ...openStores(connection),
    memberList,
    memberActivity,
    people,
    entitlementStore,
    mediaBucket,
    multipartBucket,
    reportSealing: createReportSealing(config.REPORT_KEYS),
    actCounts: createActCounts(connection, config),
    messagePublisher,
    memberHints,
    entitlements,
    ...directory,
    members: createMemberMemory({
      read: memberList.rememberedOf,
      changes: memberList.followChanges(),
      nowMs: () => performance.now(),
    }),
    jobs: openJobs(base, connection, ['purge', 'clear', 'empty']),
    timeouts: timeoutsOf(config),
    ...createProcessState(),
    /** Returns the milliseconds after which a client should poll for changes again; each call counts as a poll. */
    nextPollAfterMs: createPollInterval(clock.nowMs, Math.random),
    learnKeys: createKeyLearner({ ...directory, clock, logger }),
    ...questionsTo({ auth, billing }),
  }
}

const timeoutsOf = ({ SEND_QUEUE_TIMEOUT_MS: sendQueueMs, STORE_TIMEOUT_MS: storeMs }: Config) => ({
  sendQueueMs,
  storeMs,
})

/** Auth and billing own the data of which messaging keeps copies. These calls get the current data. */
function questionsTo({ auth, billing }: Record<'auth' | 'billing', InternalClient>) {
  return {
    askBilling: (userId: string) => billing.call(getEntitlement, { params: { userId } }),
    askEntitlementChanges: (since: Date) =>
      billing.call(listEntitlementChanges, { query: { since: since.toISOString() } }),
    askPersonChanges: (since: Date) =>
      auth.call(listPersonChanges, { query: { since: since.toISOString() } }),
  }
}

/** These stores need only the database connection. */
function openStores(connection: Connection) {
  const mediaUsage = createMediaUsage(connection)
  return {
    slots: createSlotStore(connection),
    memberState: createMemberState(connection),
    memberClearing: createMemberClearing(connection),
    memberErasure: createMemberErasure(connection),
    memberVersions: createMemberVersions(connection),
    mediaUsage,
    media: createMediaStore(connection, mediaUsage),
    multiparts: createMultipartStore(connection, mediaUsage),
    adminActions: createAdminActionStore(connection),
    reports: createReportStore(connection),
    cursors: createCursorStore(connection),
  }
}

/** A restart may lose all of this, because the database has the facts. */
function createProcessState() {
  return {
    /**
     * Sends of one conversation run one after the other in this process, because concurrent ones would compete for the same
     * seq.
     */
    sending: createKeyedQueue((error) => toAppError(error).kind === 'unavailable'),
    /**
     * Acts of one conversation run one after the other in this process, because their transactions would conflict.
     */
    acting: createKeyedQueue((error) => toAppError(error).kind === 'unavailable'),
    /**
     * A person's reservations of storage run one after the other in this process, because concurrent ones would conflict.
     */
    reservingUploads: createKeyedQueue((error) => toAppError(error).kind === 'unavailable'),
    /** Maps a conversation to the position after its last acknowledged message. A failed insert deletes the entry. */
    lastPositions: createLru<string, Position>(50_000),
    /** Contains the keys of spent free slots. An entry never becomes wrong, because a spent slot stays spent. */
    takenSlots: createLru<string, true>(50_000),
    /**
     * Maps a pair of members to a time of `performance.now()` in ms. A send that arrived by that time is refused without
     * asking billing again.
     */
    deniedUntil: createLru<string, number>(10_000),
    /**
     * Maps each stream of media in progress to its file and reader. The stream is ended when the reader is no longer shown
     * the file.
     */
    runningReads: new Map<Readable, MediaReader>(),
  }
}
