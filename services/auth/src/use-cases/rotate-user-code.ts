import { userUpdated } from '@sumlock/contracts/auth-events'
import { noSession } from '@sumlock/service-kit/app-error'
import { transact } from '@sumlock/service-kit/transact'
import type { ClientSession } from 'mongoose'
import type { Context } from '../context.ts'
import type { User } from '../domain/user.ts'
import { drawUserCode } from './draw-user-code.ts'

/** Gives the account a new user code. Nobody can be found by the former code any more; conversations stay. */
export async function rotateUserCode(ctx: Context, { userId }: { userId: string }): Promise<User> {
  const user = await transact(ctx.connection, (session) => replaceUserCode(ctx, session, userId))
  ctx.outbox.kick()
  return user
}

/** Retires the present code and publishes the new one, in the caller's transaction. Call `outbox.kick` after the commit. */
export async function replaceUserCode(ctx: Context, session: ClientSession, userId: string): Promise<User> {
  const next = await drawUserCode(ctx)
  const before = await ctx.users.replaceUserCode(userId, next, session)
  if (!before) throw noSession()
  await ctx.retiredCodes.insert(before.userCode, session)
  const after = { ...before, userCode: next, version: before.version + 1 }
  await ctx.outbox.add(session, userUpdated, { userId })
  return after
}
