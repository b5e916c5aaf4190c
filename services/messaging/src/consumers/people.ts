import { on } from '@sumlock/bus/handler'
import { userPurgeRequested, userRegistered, userUpdated } from '@sumlock/contracts/auth-events'
import type { Context } from '../context.ts'

/** Wakes the reader of auth's list without waiting for it. A purge becomes a job, which auth has to confirm first. */
export function peopleHandlers(ctx: Pick<Context, 'jobs'>, wakeReader: () => void) {
  const wake = () => Promise.resolve(wakeReader())
  return [
    on(userRegistered, wake),
    on(userUpdated, wake),
    on(userPurgeRequested, ({ data: { userId } }) => ctx.jobs.request('purge', userId)),
  ]
}
