import { userUpdated } from '@sumlock/contracts/auth-events'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { keyConflict } from '../domain/errors.ts'
import type { User, UserKey } from '../domain/user.ts'
import { holdsKey, withNextKey } from '../domain/user-key.ts'
import type { NextKey } from '../domain/user-key.ts'
import { checkKey } from './check-key.ts'
import { checkPin } from './check-pin.ts'
import type { PinEntry } from './check-pin.ts'
import { lockOthers } from './lock.ts'
import { requireUnlocked } from './require-unlocked.ts'

/**
 * Adds the next key of a person who enters the PIN in an unlocked session, removes the boxes of lost keys in the same write,
 * and locks the account's other sessions, so that they load the new key. Of two concurrent renewals, the second throws
 * `key_conflict`. A repeated request stores nothing.
 */
export async function renewIdentity(ctx: Context, entry: PinEntry, next: NextKey): Promise<void> {
  const user = await requireUnlocked(ctx, entry)
  checkKey(ctx, next.key, 'key.')
  const keys = holdsKey(user, next.key) ? null : withNextKey(user, next)
  await checkPin(ctx, user, entry, { way: 'password-mode', hadPin: true })
  if (keys) await replaceKeys(ctx, user, keys)
  await lockOthers(ctx, entry)
}

async function replaceKeys(ctx: Context, before: User, keys: UserKey[]): Promise<void> {
  await transact(ctx.connection, async (transaction) => {
    const user = await ctx.userKeys.replaceKeys(before, keys, transaction)
    if (!user) throw keyConflict()
    await ctx.outbox.add(transaction, userUpdated, { userId: user._id })
  })
  ctx.outbox.kick()
}
