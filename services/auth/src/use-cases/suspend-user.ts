import { AppError } from '@sumlock/service-kit/app-error'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { finishRevoking } from './revoke-session.ts'

const unknownUser = () => new AppError('not-found', 'not_found', 'There is no such user.')

/** Suspends an account and ends its sessions in one transaction. A sign-in that runs meanwhile ends with it or finds it suspended. */
export async function suspendUser(ctx: Context, { userId }: { userId: string }): Promise<void> {
  const now = ctx.clock.now()
  const endedIds = await transact(ctx.connection, async (transaction) => {
    if (!(await ctx.users.suspend(userId, now, transaction))) return null
    return ctx.sessions.revokeAll(userId, now, transaction)
  })
  if (endedIds === null) {
    if (!(await ctx.users.byId(userId))) throw unknownUser()
    throw new AppError('forbidden', 'not_allowed', 'An admin cannot be suspended.')
  }
  await finishRevoking(ctx, userId, endedIds, null)
}

export async function unsuspendUser(ctx: Context, { userId }: { userId: string }): Promise<void> {
  if (!(await ctx.users.unsuspendUser(userId))) throw unknownUser()
}
