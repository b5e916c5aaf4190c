import type { Person } from '@sumlock/contracts/internal-routes'
import type { Context } from '../context.ts'
import { publishLimitsChanged } from './publish-limits-changed.ts'

/** Stores what auth says of a person; the highest version wins, so repeated and reordered changes are harmless. */
export async function applyPerson(ctx: Context, person: Person): Promise<void> {
  await ctx.savePerson(person)
  const { userId, version, isLeaving } = person
  if (isLeaving === undefined || !(await ctx.entitlementStore.setGone(userId, version, isLeaving))) return
  ctx.entitlements.drop(userId)
  await publishLimitsChanged(ctx, userId)
}
