import type { Person } from '@sumlock/contracts/internal-routes'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { addLimitsChanged } from './publish-limits-changed.ts'

/**
 * Stores a person from auth's list. If the list says whether the person is leaving, the person and all partners get the
 * event that their limits have changed. A version that was stored before changes nothing.
 */
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
