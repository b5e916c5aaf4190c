import { on } from '@sumlock/bus/handler'
import { userPurgeRequested } from '@sumlock/contracts/auth-events'
import type { Context } from '../context.ts'
import { forgetPerson } from '../use-cases/forget-person.ts'

export const purgeHandlers = (ctx: Context) => [
  on(userPurgeRequested, ({ data: { userId } }) => forgetPerson(ctx, userId)),
]
