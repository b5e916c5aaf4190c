import { subscriptionActivated, subscriptionEnded } from '@sumlock/contracts/billing-events'
import type { Context } from '../context.ts'
import { expiryOf, totalLeftMs, nextSegment, resumedSegment, timeOfChange } from '../domain/ledger.ts'
import type { Grant, GrantSource } from '../domain/ledger.ts'
import type { EndReason } from '../domain/payment.ts'
import type { LedgerSession } from '../stores/ledger-store.ts'

export interface NewGrant {
  grantId: string
  userId: string
  source: GrantSource
  lengthMs: number
  /** The new grant returns the remaining time of this removed grant. */
  restOf?: Grant
}

/**
 * Appends a grant in the caller's transaction, unless one with this id exists; resolves with the stored grant. Call
 * `outbox.kick` after the commit.
 */
export async function appendGrant(
  ctx: Context,
  session: LedgerSession,
  { grantId, userId, source, lengthMs, restOf }: NewGrant,
): Promise<Grant> {
  const known = await ctx.ledger.grant(grantId, session)
  if (known) return known
  const after = await changeLedger(ctx, session, userId, async (before, now) => {
    const segment = restOf
      ? resumedSegment(before, restOf, now, lengthMs)
      : nextSegment(before, now, lengthMs)
    // guard: grant-once
    const grant: Grant = { _id: grantId, userId, source, createdAt: now, removedAt: null, ...segment }
    await ctx.ledger.append(grant, session)
    return [...before, grant]
  })
  return after.at(-1) as Grant
}

/**
 * Marks a grant as removed; later grants then start earlier. Resolves with the remaining milliseconds that were lost, even
 * those in parallel with a store's subscription; 0 when the grant did not exist or was already removed.
 */
export async function removeGrant(
  ctx: Context,
  session: LedgerSession,
  grantId: string,
  removedFor: EndReason,
): Promise<number> {
  const grant = await ctx.ledger.grant(grantId, session)
  if (!grant || grant.removedAt) return 0
  let takenMs = 0
  await changeLedger(ctx, session, grant.userId, async (before, now) => {
    await ctx.ledger.markRemoved(grantId, { removedAt: now, removedFor }, session)
    const after = before.filter(({ _id }) => _id !== grantId)
    takenMs = totalLeftMs(before, now) - totalLeftMs(after, now)
    return after
  })
  return takenMs
}

/**
 * Stores the present end of a store's subscription in its grant, which has the same id. The first call appends the grant.
 */
export async function setStoreEnd(
  ctx: Context,
  session: LedgerSession,
  {
    grantId,
    userId,
    startsAt,
    endsAt,
    ...mark
  }: Pick<Grant, 'userId' | 'startsAt' | 'endsAt' | 'isSandbox'> & {
    grantId: string
  },
): Promise<void> {
  const stored = await ctx.ledger.grant(grantId, session)
  if (stored?.endsAt.getTime() === endsAt.getTime()) return
  await changeLedger(ctx, session, userId, async (before, now) => {
    const known = before.find(({ _id }) => _id === grantId)
    const grant: Grant = known
      ? { ...known, endsAt }
      : {
          _id: grantId,
          userId,
          source: 'store',
          kind: 'store',
          startsAt,
          endsAt,
          createdAt: now,
          removedAt: null,
          ...mark,
        }
    if (known) await ctx.ledger.moveEnd(grantId, endsAt, session)
    else await ctx.ledger.append(grant, session)
    return [...before.filter((one) => one !== known), grant]
  })
}

/**
 * Changes a ledger, publishes that it has changed, and resolves with the changed grants. Two changes for one person run one
 * after the other.
 */
async function changeLedger(
  ctx: Context,
  session: LedgerSession,
  userId: string,
  change: (before: readonly Grant[], now: Date) => Promise<readonly Grant[]>,
): Promise<readonly Grant[]> {
  const now = ctx.clock.now()
  await ctx.ledger.bump(userId, session)
  const before = await ctx.ledger.grantsOf(userId, session)
  const after = await change(before, timeOfChange(before, now))
  const [had, has] = [expiryOf(before)?.getTime() ?? 0, expiryOf(after)?.getTime() ?? 0]
  const event = has < had ? subscriptionEnded : subscriptionActivated
  await ctx.outbox.add(session, event, { userId })
  return after
}
