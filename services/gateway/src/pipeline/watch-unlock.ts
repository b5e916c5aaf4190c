import { isStream } from '@sumlock/contracts/route-body'
import type { RouteContract } from '@sumlock/contracts/route'
import { runFor } from '@sumlock/service-kit/request-context'
import { shareInterval } from '@sumlock/service-kit/shared-interval'
import type { Context } from '../context.ts'
import type { Identity } from '../infrastructure/session-cache.ts'
import { refusal } from './authenticate.ts'
import type { Stage, UpstreamRequest } from './upstream-request.ts'

const checkEveryMs = 500
/** Most answers are shorter, and cost no check. */
const ordinaryMs = 1000

interface Answer {
  upstream: UpstreamRequest
  checkFromMs: number
}

type WatchContext = Pick<Context, 'clock'> & { sessions: Pick<Context['sessions'], 'identify'> }

/**
 * Breaks off each answer to an unlocked session that lasts: within a second of the end of its unlock, an ordinary one for the
 * first time a second after its request. All answers share one timer, which runs only while there are some.
 */
export function watchUnlock(ctx: WatchContext): Stage {
  // Not a Map, which may keep answers until a full collection (docs/profiles.md, "What outlives a request").
  const answers: Answer[] = []
  let stop: (() => void) | undefined

  const remove = (answer: Answer) => {
    const index = answers.indexOf(answer)
    if (index >= 0) answers.splice(index, 1)
  }
  const check = () => {
    for (const answer of [...answers]) {
      // An answer that is queued behind others on a broken connection emits no 'close'.
      if (answer.upstream.isAbandoned) remove(answer)
      else if (ctx.clock.nowMs() >= answer.checkFromMs) void breakOffUnlessUnlocked(ctx, answer.upstream)
    }
    if (answers.length > 0) return
    stop?.()
    stop = undefined
  }

  return (upstream) => {
    const { route, response, identity } = upstream
    if (!identity || !needsUnlock(route)) return
    const checkFromMs = ctx.clock.nowMs() + (isStream(route) ? 0 : ordinaryMs)
    const answer = { upstream, checkFromMs }
    answers.push(answer)
    response.once('close', () => remove(answer))
    // The checks belong to no single request.
    stop ??= runFor(undefined, () => shareInterval(checkEveryMs, check))
  }
}

const needsUnlock = ({ access }: RouteContract): boolean => access === 'unlocked' || access === 'admin'

async function breakOffUnlessUnlocked(
  { sessions, clock }: WatchContext,
  { request, response, route, sessionCookie = '', identity }: UpstreamRequest,
): Promise<void> {
  const isAllowed = (other: Identity) => refusal(route, other, clock.nowMs()) === null
  const found = await sessions.identify(sessionCookie, isAllowed).catch(() => null)
  // guard: answer-ends-with-unlock
  if (found && found.sid === identity?.sid && isAllowed(found)) return
  response.destroy()
  request.destroy()
}
