import { isStream } from '@sumlock/contracts/route-body'
import type { RouteContract } from '@sumlock/contracts/route'
import { noSession, unavailable } from '@sumlock/service-kit/app-error'
import type { AppError } from '@sumlock/service-kit/app-error'
import { runFor } from '@sumlock/service-kit/request-context'
import type { Context } from '../context.ts'
import type { GatewaySession } from '../infrastructure/session-cache.ts'
import { refusal } from './authenticate.ts'
import type { Stage, UpstreamRequest } from './upstream-request.ts'

const checkEveryMs = 500
/** Most answers take less time and need no check. */
const ordinaryMs = 1000

interface Answer {
  upstream: UpstreamRequest
  checkFromMs: number
}

type WatchContext = Pick<Context, 'clock'> & { sessions: Pick<Context['sessions'], 'identify'> }

/**
 * Ends each long answer to an unlocked session within a second of the end of its unlock; an ordinary answer is first
 * checked a second after its request. An answer that has begun is broken off, any other is refused. One timer serves
 * all answers.
 */
export function watchUnlock(ctx: WatchContext): Stage {
  const answers = new Set<Answer>()
  let timer: NodeJS.Timeout | undefined

  const check = () => {
    for (const answer of answers) {
      // An answer that is queued behind others on a broken connection emits no 'close'.
      if (answer.upstream.isAbandoned) answers.delete(answer)
      else if (ctx.clock.nowMs() >= answer.checkFromMs) void endUnlessUnlocked(ctx, answer.upstream)
    }
    if (answers.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return (upstream) => {
    const { route, response, identity } = upstream
    if (!identity || !needsUnlock(route)) return
    const checkFromMs = ctx.clock.nowMs() + (isStream(route) ? 0 : ordinaryMs)
    const answer = { upstream, checkFromMs }
    answers.add(answer)
    response.once('close', () => answers.delete(answer))
    // The timer runs without a request context, because the checks belong to no single request.
    timer ??= runFor(undefined, () => setInterval(check, checkEveryMs).unref())
  }
}

const needsUnlock = ({ access }: RouteContract): boolean => access === 'unlocked' || access === 'admin'

async function endUnlessUnlocked(ctx: WatchContext, upstream: UpstreamRequest): Promise<void> {
  const ended = await refusalNow(ctx, upstream)
  // guard: answer-ends-with-unlock
  if (!ended) return
  const { request, response, route } = upstream
  // A stream is broken off even before its answer, because the service is still reading the body and could not answer.
  if (upstream.upstreamStatus === undefined && !isStream(route)) return upstream.refuse?.(ended)
  response.destroy()
  request.destroy()
}

/** Returns the refusal that the request would get now; null when it would still be allowed. */
async function refusalNow(
  { sessions, clock }: WatchContext,
  { route, sessionCookie = '', identity }: UpstreamRequest,
): Promise<AppError | null> {
  const isAllowed = (other: GatewaySession) => refusal(route, other, clock.nowMs()) === null
  try {
    const found = await sessions.identify(sessionCookie, isAllowed)
    return found?.sid === identity?.sid && found ? refusal(route, found, clock.nowMs()) : noSession()
  } catch (error) {
    return unavailable('auth', error)
  }
}
