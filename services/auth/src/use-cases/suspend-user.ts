import { AppError } from '@sumlock/service-kit/app-error'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { finishRevoking } from './revoke-session.ts'

const unknownUser = () =>
  new AppError('not-found', 'not_found', 'This user no longer exists. Please load the list again.')

export interface ActOnUser {
  userId: string
  adminId: string
}

/**
 * Suspends an account, ends its sessions, cancels a waiting reset, and records the administrator, in one transaction. A
 * concurrent sign-in is ended with the sessions or finds the account suspended.
 */
export async function suspendUser(ctx: Context, { userId, adminId }: ActOnUser): Promise<void> {
  const now = ctx.clock.now()
  const endedIds = await transact(ctx.connection, async (transaction) => {
    if (!(await ctx.administeredUsers.suspend(userId, now, transaction))) return null
    const action = { adminId, action: 'user-suspended', personIds: [userId] } as const
    await ctx.adminActions.add(action, now, transaction)
    // The owner of a suspended account could not cancel a waiting reset.
    await ctx.pendingResets.cancel(userId, transaction)
    return ctx.sessions.revokeAll(userId, now, transaction)
  })
  if (endedIds === null) {
    if (!(await ctx.users.byId(userId))) throw unknownUser()
    throw new AppError('forbidden', 'not_allowed', 'An admin cannot be suspended.')
  }
  await finishRevoking(ctx, userId, endedIds)
}

/** Lifts a suspension and records the administrator, in one transaction. */
export async function unsuspendUser(ctx: Context, { userId, adminId }: ActOnUser): Promise<void> {
  await transact(ctx.connection, async (transaction) => {
    if (!(await ctx.administeredUsers.unsuspend(userId, transaction))) throw unknownUser()
    const action = { adminId, action: 'user-unsuspended', personIds: [userId] } as const
    await ctx.adminActions.add(action, ctx.clock.now(), transaction)
  })
}
