import { requireSteppedUp } from '@sumlock/service-kit/step-up'
import type { Caller } from '@sumlock/service-kit/caller'
import type { Context } from '../context.ts'
import { dayMs, expiryOf, segmentsOf } from '../domain/ledger.ts'
import type { Grant } from '../domain/ledger.ts'
import type { Payment } from '../domain/payment.ts'

/** A person is shown for this long that premium, or a gift, has ended early. */
const toldForMs = 90 * dayMs

/**
 * Resolves with the segments of the caller's premium and with what ended early. Throws `step_up_required` in a session that is
 * locked and was opened with the account password more than 15 minutes ago.
 */
export async function getTimeline(ctx: Context, caller: Caller) {
  requireSteppedUp(caller, ctx.clock.nowMs())
  const now = ctx.clock.now()
  const toldSince = new Date(now.getTime() - toldForMs)
  const [grants, endedGifts] = await Promise.all([
    ctx.ledger.grantsOf(caller.userId),
    ctx.payments.endedGiftsOf(caller.userId, toldSince),
  ])
  const segments = segmentsOf(grants)
    .filter(({ startsAt, endsAt }) => endsAt > now && endsAt > startsAt)
    .sort((left, right) => left.startsAt.getTime() - right.startsAt.getTime())
  return {
    premiumUntil: expiryOf(grants)?.toISOString() ?? null,
    segments: segments.map(({ source, startsAt, endsAt }) => ({
      source,
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
    })),
    ended: [...grants.flatMap((grant) => ownEnd(grant, toldSince)), ...endedGifts.flatMap(givenEnd)].sort(
      (left, right) => left.at.localeCompare(right.at),
    ),
  }
}

function ownEnd({ source, removedAt, removedFor }: Grant, toldSince: Date) {
  if (!removedAt || !removedFor || removedAt < toldSince) return []
  const what = source === 'gift' ? ('received-gift' as const) : ('upgrade' as const)
  return [{ what, reason: removedFor, at: removedAt.toISOString() }]
}

const givenEnd = ({ ended }: Payment) =>
  ended ? [{ what: 'given-gift' as const, reason: ended.reason, at: ended.at.toISOString() }] : []
