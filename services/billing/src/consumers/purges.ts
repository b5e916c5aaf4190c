import { erasing } from '@sumlock/bus/erasing'
import { on } from '@sumlock/bus/handler'
import { userPurgeRequested } from '@sumlock/contracts/auth-events'
import type { Context } from '../context.ts'
import { forgetPerson } from '../use-cases/forget-person.ts'

/** Keeps the payments of a purged person without the person. */
export const purgeHandlers = (ctx: Context) => [
  on(
    userPurgeRequested,
    erasing(ctx, 'billing', (userId, session) => forgetPerson(ctx, userId, session)),
  ),
]
