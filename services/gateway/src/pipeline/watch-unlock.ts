import { isStream } from '@sumlock/contracts/route-body'
import type { RouteContract } from '@sumlock/contracts/route'
import { noSession, unavailable } from '@sumlock/service-kit/app-error'
import type { AppError } from '@sumlock/service-kit/app-error'
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
 * Ends each answer to an unlocked session that lasts: within a second of the end of its unlock, an ordinary one for the
 * first time a second after its request. What has begun is broken off, the rest is refused. All answers share one timer, which runs only while there are some.
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
      else if (ctx.clock.nowMs() >= answer.checkFromMs) void endUnlessUnlocked(ctx, answer.upstream)
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

async function endUnlessUnlocked(ctx: WatchContext, upstream: UpstreamRequest): Promise<void> {
  const ended = await refusalNow(ctx, upstream)
  // guard: answer-ends-with-unlock
  if (!ended) return
  const { request, response, route } = upstream
  // The service still has the rest of a stream to read, so that no answer could follow.
  if (upstream.upstreamStatus === undefined && !isStream(route)) return upstream.refuse?.(ended)
  response.destroy()
  request.destroy()
}

/** What the request would be answered if it came now: null when it would still be allowed. */
async function refusalNow(
  { sessions, clock }: WatchContext,
  { route, sessionCookie = '', identity }: UpstreamRequest,
): Promise<AppError | null> {
  const isAllowed = (other: Identity) => refusal(route, other, clock.nowMs()) === null
  try {
    const found = await sessions.identify(sessionCookie, isAllowed)
    return found?.sid === identity?.sid && found ? refusal(route, found, clock.nowMs()) : noSession()
  } catch (error) {
    return unavailable('auth', error)
  }
}
