import { randomUUID } from 'node:crypto'
import { subscriptionActivated } from '@sumlock/contracts/billing-events'
import { AppError } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'
import { nextSegment } from '../domain/ledger.ts'
import type { Grant, GrantSource } from '../domain/ledger.ts'
import { toEntitlement } from '../stores/ledger-store.ts'

export interface GrantInput {
  /** Saying it twice grants once. */
  grantId?: string | undefined
  userId: string
  lengthMs: number
  source: GrantSource
}

/** Appends a segment to a person's ledger and announces what it folds to, in one transaction. */
export async function grantPremium(ctx: Context, input: GrantInput): Promise<Grant> {
  const grantId = input.grantId ?? randomUUID()
  const known = await ctx.ledger.grant(grantId)
  if (known) return sameAs(known, input)
  if (!(await ctx.findPerson(input.userId)))
    throw new AppError('not-found', 'not_found', 'There is no such user.')
  try {
    const grant = await ctx.connection.transaction(async (session) => {
      const version = await ctx.ledger.bump(input.userId, session)
      const now = ctx.clock.now()
      const before = await ctx.ledger.grantsOf(input.userId, session)
      const segment = nextSegment(before, now, input.lengthMs)
      const { userId, source } = input
      const added: Grant = { _id: grantId, userId, source, createdAt: now, removedAt: null, ...segment }
      await ctx.ledger.append(added, session)
      await ctx.outbox.add(
        session,
        subscriptionActivated,
        toEntitlement(userId, [...before, added], version, now),
      )
      return added
    })
    ctx.outbox.kick()
    return grant
  } catch (error) {
    if ((error as { code?: number }).code !== 11000) throw error
    const winner = await ctx.ledger.grant(grantId)
    if (!winner) throw error
    return sameAs(winner, input)
  }
}

function sameAs(grant: Grant, input: GrantInput): Grant {
  if (grant.userId === input.userId) return grant
  throw new AppError('invalid', 'invalid_request', 'This grant was made for somebody else.')
}
