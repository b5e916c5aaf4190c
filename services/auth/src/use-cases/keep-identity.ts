import { userUpdated } from '@sumlock/contracts/auth-events'
import type { Identity } from '@sumlock/contracts/identity-routes'
import { noSession } from '@sumlock/service-kit/app-error'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { keyConflict, recentUnlockRequired } from '../domain/errors.ts'
import { requireEpoch } from '../domain/user-key.ts'
import { checkKey } from './check-key.ts'

export interface IdentityToKeep {
  userId: string
  sessionId: string
  key: Identity
  /** The box was made with this version of the PIN. */
  pinVersion: number
}

const recentMs = 60_000

/**
 * Stores a key of a person whose session was unlocked within the last minute, or another box of the present key. If two
 * devices store a key at once, the second throws `key_conflict` and then reads the key of the first. A repeated request
 * changes nothing.
 */
export async function keepIdentity(ctx: Context, input: IdentityToKeep): Promise<void> {
  const { userId, sessionId, key, pinVersion } = input
  const now = ctx.clock.now()
  const session = await ctx.sessions.byId(sessionId, now)
  if (!session) throw noSession()
  const unlockedAt = session.unlockStartedAt?.getTime() ?? 0
  if (now.getTime() - unlockedAt > recentMs) throw recentUnlockRequired()
  requireEpoch(key)
  checkKey(ctx, key)
  if (await ctx.userKeys.replaceBox(userId, pinVersion, key)) return
  await transact(ctx.connection, async (transaction) => {
    const user = await ctx.userKeys.addKey(userId, pinVersion, key, transaction)
    if (!user) throw keyConflict()
    await ctx.outbox.add(transaction, userUpdated, { userId })
  })
  ctx.outbox.kick()
}
