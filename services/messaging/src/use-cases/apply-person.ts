import type { Person } from '@sumlock/contracts/internal-routes'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { addLimitsChanged } from './publish-limits-changed.ts'

/** Stores a person from auth's list and publishes to both sides whether the person is leaving; does nothing for a version that was stored before. */
export async function applyPerson(ctx: Context, person: Person): Promise<void> {
  const { userId, isLeaving } = person
  const isNew = await transact(ctx.connection, async (session) => {
    if (!(await ctx.entitlementStore.savePerson(person, session))) return false
    await ctx.people.save(person, session)
    if (isLeaving !== undefined) await addLimitsChanged(ctx, session, userId)
    return true
  })
  if (!isNew) return
  ctx.entitlements.drop(userId)
  if (isLeaving !== undefined) ctx.outbox.kick()
}
