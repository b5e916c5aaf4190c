import { withDatabase } from '../database.ts'
import { untakenEvents } from '../events.ts'
import { eventually } from '../wait.ts'
import type { RunningStack } from '../shared-stack.ts'
import { kindsOfWrites } from './failover-load.ts'
import type { FailoverLoad } from './failover-load.ts'
import type { FailoverPeople } from './failover-people.ts'

/** Times of `performance.now()`. */
export interface Failover {
  readonly brokenAt: number
  /** The time at which another member accepted writes; the time of the fault if no election was needed. */
  readonly electedAt: number
}

const refusedAtMostMs = 45_000
const inForceWithinMs = 5000

/** The longest wait of a write, by kind, in seconds. */
export const longestWaits = ({ writes }: FailoverLoad): Record<string, number> =>
  Object.fromEntries(
    kindsOfWrites.map((kind) => {
      const waits = writes.filter((one) => one.kind === kind).map((one) => one.acknowledgedAt - one.triedAt)
      return [kind, Math.round(Math.max(0, ...waits) / 100) / 10]
    }),
  )

/** No write waited too long, and no ended session had an answer after its time. */
export function expectInTime(load: FailoverLoad, { brokenAt, electedAt }: Failover): void {
  const late = load.writes.filter((one) => one.acknowledgedAt - one.triedAt > refusedAtMostMs)
  expect(late).toEqual([])
  const after = load.writes.map(({ acknowledgedAt }) => acknowledgedAt).filter((at) => at >= electedAt)
  const firstWriteAt = Math.min(...after)
  const deadline = (endedAt: number) => {
    const usual = endedAt + inForceWithinMs
    return usual <= brokenAt ? usual : Math.max(endedAt, firstWriteAt) + inForceWithinMs
  }
  expect(load.answersAfterEnd.filter(({ askedAt, endedAt }) => askedAt > deadline(endedAt))).toEqual([])
}

/** Every subject has one of each and nothing twice. */
export async function expectEachOnce(
  stack: RunningStack,
  { writer, subjects }: FailoverPeople,
  { grantIds }: FailoverLoad,
): Promise<void> {
  const ids = subjects.map(({ person }) => person.user.id)
  const rows = (owner: 'auth' | 'billing' | 'messaging', collection: string, filter: object) =>
    withDatabase(stack, owner, (database) => database.collection(collection).find(filter).toArray())

  const sessions = await rows('auth', 'sessions', { userId: { $in: ids } })
  const stateOf = ({ revokedAt, unlockedUntil }: Record<string, unknown>) =>
    revokedAt ? 'revoked' : unlockedUntil ? 'unlocked' : 'locked'
  for (const id of ids)
    expect(
      sessions
        .filter(({ userId }) => userId === id)
        .map(stateOf)
        .sort(),
    ).toEqual(['locked', 'revoked'])

  const gifts = await rows('billing', 'subscription_gifts', { redeemedBy: { $in: ids } })
  const grants = await rows('billing', 'grants', { userId: { $in: ids } })
  for (const subject of subjects) {
    const { id } = subject.person.user
    const redeemed = gifts.filter(({ redeemedBy }) => redeemedBy === id).map(({ _id }) => String(_id))
    expect(redeemed).toHaveLength(1)
    const granted = grants.filter(({ userId }) => userId === id).map(({ _id }) => String(_id))
    expect(granted.sort()).toEqual([grantIds.get(subject), ...redeemed].sort())
  }
  // Each change of a ledger counts its account's version up.
  const accounts = await rows('billing', 'accounts', { _id: { $in: ids } as never })
  expect(accounts.map(({ version }) => Number(version))).toEqual(ids.map(() => 2))

  const blocked = await rows('messaging', 'members', { personId: writer.user.id, isBlocked: true })
  expect(blocked.map(({ conversationId }) => String(conversationId)).sort()).toEqual(
    subjects.map(({ conversationId }) => conversationId).sort(),
  )
  await eventually(
    async () => {
      expect(await untakenEvents(stack)).toBe(0)
      const entitlements = await rows('messaging', 'entitlements', { _id: { $in: ids } as never })
      expect(entitlements.map(({ version }) => Number(version))).toEqual(ids.map(() => 2))
    },
    { timeoutMs: 60_000, everyMs: 500 },
  )
}
