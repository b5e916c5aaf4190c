import { on } from '@sumlock/bus/handler'
import { userPurgeRequested, userRegistered, userUpdated } from '@sumlock/contracts/auth-events'
import type { Context } from '../context.ts'

/**
 * An event about a change only wakes the reader that fetches auth's list of changed people. A purge becomes a job, whose
 * first step asks auth for confirmation.
 */
export function peopleHandlers(ctx: Pick<Context, 'jobs'>, wakeReader: () => void) {
  const wake = () => Promise.resolve(wakeReader())
  return [
    on(userRegistered, wake),
    on(userUpdated, wake),
    on(userPurgeRequested, ({ data: { userId } }) => ctx.jobs.request('purge', userId)),
  ]
}
