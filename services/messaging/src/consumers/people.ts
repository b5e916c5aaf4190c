import { on } from '@sumlock/bus/handler'
import { userPurgeRequested, userRegistered, userUpdated } from '@sumlock/contracts/auth-events'
import type { Context } from '../context.ts'
import { applyPerson } from '../use-cases/apply-person.ts'
import { requestErasing } from '../use-cases/erase-person.ts'

/** Updates the projection of people. */
export const peopleHandlers = (ctx: Context) => [
  on(userRegistered, ({ data }) => applyPerson(ctx, data)),
  on(userUpdated, ({ data }) => applyPerson(ctx, data)),
  on(userPurgeRequested, ({ id, data: { userId, isRepeated = false } }) =>
    requestErasing(ctx, userId, { eventId: id, isRepeated }),
  ),
]
