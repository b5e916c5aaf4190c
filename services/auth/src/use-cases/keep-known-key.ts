import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { knownKeyConflict, notUnlocked, tooManyKnownKeys } from '../domain/errors.ts'
import type { KnownKeyRecord } from '../stores/known-key-store.ts'

/**
 * Stores the next version of a record. Of several concurrent requests for the same version, one is stored and the others
 * throw `known_key_conflict`. A request that repeats the stored box changes nothing.
 */
export async function keepKnownKey(ctx: Context, next: KnownKeyRecord): Promise<void> {
  const isStored = next.version === 1 ? await addFirst(ctx, next) : await ctx.knownKeys.replace(next)
  if (isStored) return
  const stored = await ctx.knownKeys.find(next)
  if (stored?.version !== next.version || stored.box !== next.box) throw knownKeyConflict()
}

function addFirst(ctx: Context, first: KnownKeyRecord): Promise<boolean> {
  return transact(ctx.connection, async (transaction) => {
    if (!(await ctx.knownKeys.insert(first, transaction))) return false
    if (await ctx.knownKeys.countOne(first.userId, transaction)) return true
    const user = await ctx.users.byId(first.userId)
    throw user?.pinMac ? tooManyKnownKeys() : notUnlocked()
  })
}
