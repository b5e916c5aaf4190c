import * as actions from '@sumlock/contracts/admin-action-routes'
import * as contract from '@sumlock/contracts/admin-routes'
import type { RouteBinder } from '@sumlock/service-kit/bind-route'
import { listAdminActions } from '@sumlock/service-kit/list-admin-actions'
import { Reply } from '@sumlock/service-kit/reply'
import type { Context } from '../context.ts'
import { listAccesses } from '../use-cases/list-accesses.ts'
import { listUsers } from '../use-cases/list-users.ts'
import { unsuspendUser, suspendUser } from '../use-cases/suspend-user.ts'

const done = { ok: true as const }

export function bindAdminRoutes(bind: RouteBinder, ctx: Context): void {
  bind(contract.listUsers, async ({ query, caller }) => {
    const { accounts, total } = await listUsers(ctx, { adminId: caller.userId, ...query })
    return new Reply(200, accounts, total === undefined ? {} : { [contract.totalHeader]: String(total) })
  })

  bind(contract.suspendUser, async ({ params, caller }) => {
    await suspendUser(ctx, { ...params, adminId: caller.userId })
    return done
  })

  bind(contract.unsuspendUser, async ({ params, caller }) => {
    await unsuspendUser(ctx, { ...params, adminId: caller.userId })
    return done
  })

  bind(actions.listAccountActions, ({ query, caller }) =>
    listAdminActions(ctx, { adminId: caller.userId, ...query }),
  )

  bind(actions.listAccesses, ({ caller }) => listAccesses(ctx, caller))
}
