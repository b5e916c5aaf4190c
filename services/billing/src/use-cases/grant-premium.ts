import { randomUUID } from 'node:crypto'
import { AppError, unavailable } from '@sumlock/service-kit/app-error'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { dayMs } from '../domain/ledger.ts'
import type { Grant } from '../domain/ledger.ts'
import { appendGrant } from './change-ledger.ts'

/** An administrator grants a person this many whole days of premium. */
export interface GrantInput {
  /** A repeated request with the same id grants only once. */
  grantId?: string | undefined
  userId: string
  days: number
  adminId: string
}

/**
 * Appends an administrator's grant to a person's ledger, publishes that the ledger has changed, and records the
 * administrator, in one transaction.
 */
export async function grantPremium(ctx: Context, input: GrantInput): Promise<Grant> {
  const grantId = input.grantId ?? randomUUID()
  const known = await ctx.ledger.grant(grantId)
  if (known) return sameAs(known, input)
  if (!(await ctx.findPerson(input.userId)))
    throw new AppError('not-found', 'not_found', 'This user does not exist.')
  try {
    const grant = await transact(ctx.connection, async (session) => {
      const { userId, days, adminId } = input
      if (!(await ctx.ledger.grant(grantId, session))) {
        const action = { adminId, action: 'premium-granted', personIds: [userId], days } as const
        await ctx.adminActions.add(action, ctx.clock.now(), session)
      }
      return appendGrant(ctx, session, { grantId, userId, source: 'admin', lengthMs: days * dayMs })
    })
    ctx.outbox.kick()
    return sameAs(grant, input)
  } catch (error) {
    if ((error as { code?: number }).code !== 11000) throw error
    // A concurrent request used the same grantId for another user.
    const winner = await ctx.ledger.grant(grantId)
    if (!winner) throw unavailable('grants', error)
    return sameAs(winner, input)
  }
}

function sameAs(grant: Grant, { userId, days }: GrantInput): Grant {
  const granted = grant.endsAt.getTime() - grant.startsAt.getTime()
  if (grant.userId === userId && grant.source === 'admin' && granted === days * dayMs) return grant
  throw new AppError('conflict', 'grant_id_reused', 'This grant id was used before for a different grant.')
}
