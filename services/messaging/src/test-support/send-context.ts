import type { Entitlement } from '@sumlock/contracts/internal-routes'
import { toAppError } from '@sumlock/service-kit/app-error'
import { createKeyedQueue } from '@sumlock/service-kit/keyed-queue'
import { createLogger } from '@sumlock/service-kit/logger'
import { createLru } from '@sumlock/service-kit/lru'
import type { Standing } from '../domain/entitlement.ts'
import { createEntitlementCache } from '../infrastructure/entitlement-cache.ts'
import { createMemberCache } from '../infrastructure/member-cache.ts'
import type { SendContext } from '../use-cases/send-message.ts'
import { createFakeSlots, messagesOf } from './fake-collection.ts'
import type { FakeCollection } from './fake-collection.ts'

export const members = ['ann', 'ben']

/** Shared by all processes: time, the free slots, the projection of entitlements, and billing. */
export function createWorld(startIso = '2026-11-20T12:00:00.000Z') {
  const world = {
    nowMs: new Date(startIso).getTime(),
    standings: new Map<string, Standing>(),
    slots: createFakeSlots(),
    billingAsked: [] as string[],
    /** People whose keys auth was asked for. */
    keysAsked: [] as string[],
    billing: (userId: string): Promise<Entitlement> =>
      Promise.resolve({ userId, subscriptionType: 'free', subscriptionExpiresAt: null, version: 0 }),
  }
  return world
}

/** The context of one messaging process that sends; only the engines are fakes. */
export function sendContext(world: ReturnType<typeof createWorld>, collection: FakeCollection): SendContext {
  const nowMs = () => world.nowMs
  const read = new Set<string>()
  return {
    messages: messagesOf(collection),
    slots: world.slots,
    conversations: { byId: () => Promise.resolve(null) },
    members: createMemberCache((id) => Promise.resolve(id.startsWith('c') ? members : null), nowMs),
    timeouts: { sendQueueMs: 2000, storeMs: 1500 },
    sending: createKeyedQueue((error) => toAppError(error).kind === 'unavailable'),
    lastPositions: createLru(100),
    takenSlots: createLru(100),
    entitlements: createEntitlementCache({
      read: (userIds) => {
        for (const userId of userIds) read.add(userId)
        return Promise.resolve(world.standings)
      },
      // Perhaps all.
      changes: () => Promise.resolve([...read]),
      nowMs,
    }),
    entitlementStore: { save: () => Promise.resolve(true) },
    askBilling: (userId) => {
      world.billingAsked.push(userId)
      return world.billing(userId)
    },
    media: { bind: () => Promise.resolve(true) },
    learnKeys: (userId) => void world.keysAsked.push(userId),
    deniedUntil: createLru(100),
    clock: { nowMs, now: () => new Date(world.nowMs) },
    logger: createLogger({ service: 'messaging', instance: 'test', level: 'silent' }),
  }
}
