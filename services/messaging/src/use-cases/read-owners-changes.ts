import { changesPerPage } from '@sumlock/contracts/internal-routes'
import { createDatedChangeFeed } from '@sumlock/service-kit/change-feed'
import type { Context } from '../context.ts'
import { applyEntitlement } from './apply-entitlement.ts'
import { applyPerson } from './apply-person.ts'

/** Returns a function that stores the people whom auth lists as changed since its last call. */
export const createPeopleReader = (ctx: Context): (() => Promise<void>) =>
  createDatedChangeFeed({
    clock: ctx.clock,
    cursor: ctx.cursors.of('people'),
    ask: ctx.askPersonChanges,
    pageSize: changesPerPage,
    async apply(page) {
      for (const { person } of page) await applyPerson(ctx, person)
    },
  })

/** Returns a function that stores the entitlements that billing lists as changed since its last call. */
export const createEntitlementReader = (ctx: Context): (() => Promise<void>) =>
  createDatedChangeFeed({
    clock: ctx.clock,
    cursor: ctx.cursors.of('entitlements'),
    ask: ctx.askEntitlementChanges,
    pageSize: changesPerPage,
    async apply(page) {
      for (const { entitlement } of page) await applyEntitlement(ctx, entitlement)
    },
  })
