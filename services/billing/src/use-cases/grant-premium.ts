import { randomUUID } from 'node:crypto'
import { subscriptionActivated } from '@sumlock/contracts/billing-events'
import { AppError, unavailable } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'
import { nextSegment, toEntitlement } from '../domain/ledger.ts'
import type { Grant, GrantSource } from '../domain/ledger.ts'
import type { LedgerSession } from '../stores/ledger-store.ts'

export interface GrantInput {
  /** Makes the grant idempotent. */
  grantId?: string | undefined
  userId: string
  lengthMs: number
  source: GrantSource
}

/** Appends a segment to a person's ledger and publishes the resulting entitlement, in one transaction. */
export async function grantPremium(ctx: Context, input: GrantInput): Promise<Grant> {
  const grantId = input.grantId ?? randomUUID()
  const known = await ctx.ledger.grant(grantId)
  if (known) return sameAs(known, input)
  if (!(await ctx.findPerson(input.userId)))
    throw new AppError('not-found', 'not_found', 'This user does not exist.')
  try {
    const grant = await ctx.connection.transaction((session) => append(ctx, grantId, input, session))
    ctx.outbox.kick()
    return grant
  } catch (error) {
    if ((error as { code?: number }).code !== 11000) throw error
    // A concurrent request used the same grantId for another user.
    const winner = await ctx.ledger.grant(grantId)
    if (!winner) throw unavailable('grants', error)
    return sameAs(winner, input)
  }
}

async function append(
  ctx: Context,
  grantId: string,
  { userId, source, lengthMs }: GrantInput,
  session: LedgerSession,
): Promise<Grant> {
  const before = await ctx.ledger.grantsOf(userId, session)
  const known = before.find(({ _id }) => _id === grantId)
  if (known) return sameAs(known, { userId, source, lengthMs })
  // guard: ledger-turns
  const version = await ctx.ledger.bump(userId, session)
  const now = ctx.clock.now()
  const segment = nextSegment(before, now, lengthMs)
  // guard: grant-once
  const grant: Grant = { _id: grantId, userId, source, createdAt: now, removedAt: null, ...segment }
  await ctx.ledger.append(grant, session)
  await ctx.outbox.add(
    session,
    subscriptionActivated,
    toEntitlement(userId, [...before, grant], version, now),
  )
  return grant
}

function sameAs(grant: Grant, { userId, source, lengthMs }: GrantInput): Grant {
  const granted = grant.endsAt.getTime() - grant.startsAt.getTime()
  if (grant.userId === userId && grant.source === source && granted === lengthMs) return grant
  throw new AppError('conflict', 'grant_id_reused', 'This grant id was used before for a different grant.')
}
