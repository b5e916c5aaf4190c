import { changesPerPage } from '@sumlock/contracts/internal-routes'
import { createDatedChangeFeed } from '@sumlock/service-kit/change-feed'
import type { Context } from '../context.ts'
import { applyEntitlement } from './apply-entitlement.ts'
import { applyPerson } from './apply-person.ts'

type Reader = (stopping?: AbortSignal) => Promise<void>

/**
 * Stores each change of a page. A change that cannot be stored does not stop the others; the first failure is thrown at the
 * end.
 */
async function storeEach<T>(page: readonly T[], store: (change: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = []
  for (const change of page) await store(change).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** Returns a function that stores the people whom auth lists as changed since its last call. */
export const createPeopleReader = (ctx: Context): Reader =>
  createDatedChangeFeed({
    clock: ctx.clock,
    cursor: ctx.cursors.of('people'),
    ask: ctx.askPersonChanges,
    pageSize: changesPerPage,
    apply: (page) => storeEach(page, ({ person }) => applyPerson(ctx, person)),
  })

/** Returns a function that stores the entitlements that billing lists as changed since its last call. */
export const createEntitlementReader = (ctx: Context): Reader =>
  createDatedChangeFeed({
    clock: ctx.clock,
    cursor: ctx.cursors.of('entitlements'),
    ask: ctx.askEntitlementChanges,
    pageSize: changesPerPage,
    apply: (page) => storeEach(page, ({ entitlement }) => applyEntitlement(ctx, entitlement)),
  })
