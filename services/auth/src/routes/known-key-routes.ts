import * as contract from '@sumlock/contracts/known-key-routes'
import type { RouteBinder } from '@sumlock/service-kit/bind-route'
import type { Context } from '../context.ts'
import { keepKnownKey } from '../use-cases/keep-known-key.ts'

export function bindKnownKeyRoutes(bind: RouteBinder, ctx: Context): void {
  bind(contract.getKnownKey, async ({ params, caller }) => {
    const stored = await ctx.knownKeys.find({ ...params, userId: caller.userId })
    return { version: stored?.version ?? 0, box: stored?.box ?? null }
  })

  bind(contract.putKnownKey, async ({ params, body, caller }) => {
    await keepKnownKey(ctx, { ...params, ...body, userId: caller.userId })
    return { ok: true as const }
  })
}
