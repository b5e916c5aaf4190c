import { on } from '@sumlock/bus/handler'
import { userRegistered, userUpdated } from '@sumlock/contracts/auth-events'
import type { Context } from '../context.ts'

/** Keeps who is who; the highest version wins, so repetition and disorder do no harm. */
export const peopleHandlers = (ctx: Context) => [
  on(userRegistered, ({ data }) => ctx.people.save(data)),
  on(userUpdated, ({ data }) => ctx.people.save(data)),
]
