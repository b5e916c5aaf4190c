import { withDatabase } from '../database.ts'
import { untakenEvents } from '../events.ts'
import { eventually } from '../wait.ts'
import type { RunningStack } from '../shared-stack.ts'
import { kindsOfWrites } from './failover-load.ts'
import type { FailoverLoad } from './failover-load.ts'
import type { FailoverPeople } from './failover-people.ts'

/** Both times are those of `performance.now()`. */
export interface Failover {
  readonly brokenAt: number
  /** From this time on another member accepted writes; it is the time of the fault if no election was needed. */
  readonly electedAt: number
}

const refusedAtMostMs = 45_000
const inForceWithinMs = 5000

/** Returns the longest wait for an acknowledgement by kind of write, in seconds. */
export const longestWaits = ({ writes }: FailoverLoad): Record<string, number> =>
  Object.fromEntries(
    kindsOfWrites.map((kind) => {
      const waits = writes.filter((one) => one.kind === kind).map((one) => one.acknowledgedAt - one.triedAt)
      return [kind, Math.round(Math.max(0, ...waits) / 100) / 10]
    }),
  )

/** Expects that no write waited too long, and that no ended session got an answer after the allowed time. */
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

/** Expects that each change was made exactly once for every subject. */
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
  // Each change of a ledger increments the version of its account, so a grant and a redemption make two.
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
