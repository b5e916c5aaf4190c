import { on } from '@sumlock/bus/handler'
import { userPurgeRequested, userRegistered, userUpdated } from '@sumlock/contracts/auth-events'
import type { Context } from '../context.ts'

/** Wakes the reader of auth's list, and does not wait for it; a purge is noted as a job, which asks auth first. */
export function peopleHandlers(ctx: Pick<Context, 'jobs'>, wakeReader: () => void) {
  const wake = () => Promise.resolve(wakeReader())
  return [
    on(userRegistered, wake),
    on(userUpdated, wake),
    on(userPurgeRequested, ({ data: { userId } }) => ctx.jobs.request('purge', userId)),
  ]
}
