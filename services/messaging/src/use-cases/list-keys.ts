import type { PublicKey } from '@sumlock/contracts/sealed'
import type { Context } from '../context.ts'
import { memberOf } from './member-of.ts'

/**
 * Returns all public keys of the other member, ascending by epoch. They come from auth or, while auth is down, from
 * messaging's copy.
 */
export async function listKeys(
  ctx: Context,
  { userId, conversationId }: { userId: string; conversationId: string },
): Promise<PublicKey[]> {
  const { otherId } = await memberOf(ctx, userId, conversationId)
  const person = await ctx.askAuth({ userId: otherId }).catch(() => null)
  if (person) await ctx.savePerson(person)
  return (person ?? (await ctx.people.byIds([otherId])).get(otherId))?.keys ?? []
}
