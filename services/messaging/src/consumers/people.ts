import { on } from '@sumlock/bus/handler'
import { userRegistered, userUpdated } from '@sumlock/contracts/auth-events'
import type { Context } from '../context.ts'

/** Updates the projection of people; the highest version wins, so repeated and reordered events are harmless. */
export const peopleHandlers = (ctx: Context) => [
  on(userRegistered, ({ data }) => ctx.people.save(data)),
  on(userUpdated, ({ data }) => ctx.people.save(data)),
]
