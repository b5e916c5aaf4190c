import type { Entitlement } from '@sumlock/contracts/internal-routes'
import { toAppError } from '@sumlock/service-kit/app-error'
import { createKeyedQueue } from '@sumlock/service-kit/keyed-queue'
import { createLogger } from '@sumlock/service-kit/logger'
import { createLru } from '@sumlock/service-kit/lru'
import type { AccountStatus } from '../domain/entitlement.ts'
import { createEntitlementCache } from '../infrastructure/entitlement-cache.ts'
import { memberKey } from '../domain/member.ts'
import type { MemberRecord, RememberedMember } from '../domain/member.ts'
import { createMemberMemory } from '../infrastructure/member-memory.ts'
import type { SendContext } from '../use-cases/send-message.ts'
import { createFakeSlots, messagesOf } from './fake-collection.ts'
import type { FakeCollection } from './fake-collection.ts'

export const members = ['ann', 'ben']

type World = ReturnType<typeof createWorld>

/** Shared by all processes: time, the free slots, the projection of entitlements, and billing. */
export function createWorld(startIso = '2026-11-20T12:00:00.000Z') {
  const world = {
    nowMs: new Date(startIso).getTime(),
    statuses: new Map<string, AccountStatus>(),
    /** Keys of the rows whose members have blocked the other. */
    blocked: new Set<string>(),
    slots: createFakeSlots(),
    billingAsked: [] as string[],
    /** People whose keys were requested from auth. */
    keysAsked: [] as string[],
    billing: (userId: string): Promise<Entitlement> =>
      Promise.resolve({ userId, subscriptionType: 'free', subscriptionExpiresAt: null, version: 0 }),
  }
  return world
}

/** The remembered rows: everybody has the conversations whose ids begin with a c. */
function rememberedOf({ blocked }: Pick<World, 'blocked'>, keys: readonly string[]) {
  const found = keys.flatMap((key): RememberedMember[] => {
    const [personId = '', , conversationId = ''] = key.split('|')
    const otherId = members.find((id) => id !== personId)
    if (!otherId || !members.includes(personId) || !conversationId.startsWith('c')) return []
    return [{ personId, conversationId, otherId, ...(blocked.has(key) && { isBlocked: true as const }) }]
  })
  return new Map(found.map((row) => [memberKey(row.personId, row.conversationId), row]))
}

const memberRow = (personId: string, conversationId: string): MemberRecord => ({
  ...{ _id: memberKey(personId, conversationId), personId, view: 1, conversationId, otherId: 'other' },
  ...{ createdAt: new Date(0), activeAt: new Date(0), changedAt: new Date(0), stateChangedAt: new Date(0) },
  ...{ isListed: true, newestSeq: 0, readSeq: 0, otherReadSeq: 0, clearedSeq: 0 },
})

/** The context of one messaging process that sends; only the engines are fakes. */
export function sendContext(world: World, collection: FakeCollection): SendContext {
  const nowMs = () => world.nowMs
  const read = new Set<string>()
  return {
    messages: messagesOf(collection),
    slots: world.slots,
    memberList: { of: (personId, id) => Promise.resolve(memberRow(personId, id)) },
    members: createMemberMemory({
      read: (keys) => Promise.resolve(rememberedOf(world, keys)),
      changes: () => Promise.resolve('all'),
      nowMs,
    }),
    timeouts: { sendQueueMs: 2000, storeMs: 1500 },
    sending: createKeyedQueue((error) => toAppError(error).kind === 'unavailable'),
    lastPositions: createLru(100),
    takenSlots: createLru(100),
    entitlements: createEntitlementCache({
      read: (userIds) => {
        for (const userId of userIds) read.add(userId)
        return Promise.resolve(world.statuses)
      },
      // The list may contain all keys.
      changes: () => Promise.resolve([...read]),
      nowMs,
    }),
    askBilling: (userId) => {
      world.billingAsked.push(userId)
      return world.billing(userId)
    },
    media: { bind: () => Promise.resolve(true), removeOfMessage: () => Promise.resolve() },
    learnKeys: (userId) => void world.keysAsked.push(userId),
    deniedUntil: createLru(100),
    clock: { nowMs, now: () => new Date(world.nowMs) },
    logger: createLogger({ service: 'messaging', instance: 'test', level: 'silent' }),
  }
}
