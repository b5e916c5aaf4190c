import type { Person } from '@sumlock/contracts/internal-routes'
import type { Context } from '../context.ts'
import type { Standing } from '../domain/entitlement.ts'
import { applyPerson } from './apply-person.ts'
import { createReconcile } from './reconcile.ts'

/** Stores changes of people whose events were missed: a name, a code, a key, a deletion that was asked for or cancelled. */
export const createReconcilePeople = (ctx: Context, hearsEvents: () => boolean): (() => Promise<void>) =>
  createReconcile({
    clock: ctx.clock,
    hearsEvents,
    ask: ctx.askPersonChanges,
    async apply(page) {
      const ids = page.map(({ person }) => person.userId)
      const [known, standings] = await Promise.all([
        ctx.people.byIds(ids),
        ctx.entitlementStore.standingsOf(ids),
      ])
      for (const { person } of page) {
        const { userId } = person
        if (!isStored(person, known.get(userId), standings.get(userId))) await applyPerson(ctx, person)
      }
    },
  })

/** The parts of a person are stored one after the other, and not all by the same callers. */
function isStored(
  { version, keys, isLeaving }: Person,
  known: Person | undefined,
  { personVersion = 0, keyEpoch = 0 }: Partial<Standing> = {},
): boolean {
  // A later change, or the person was erased while auth answered.
  if (personVersion > version) return true
  if ((known?.version ?? 0) < version || keyEpoch < (keys?.at(-1)?.epoch ?? 0)) return false
  return isLeaving === undefined || personVersion === version
}
