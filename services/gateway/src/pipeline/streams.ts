import { isStream } from '@sumlock/contracts/route-body'
import type { Clock } from '@sumlock/service-kit/clock'
import type { SessionCache } from '../infrastructure/session-cache.ts'
import type { UpstreamRequest } from './upstream-request.ts'

const checkEveryMs = 500

/** Breaks an upload or download off within a second of the end of its unlock. Of other routes it does nothing. */
export function watchStreams(
  sessions: Pick<SessionCache, 'identify'>,
  clock: Clock,
): (upstream: UpstreamRequest) => void {
  return (upstream) => {
    const { route, identity, defer } = upstream
    if (!isStream(route) || !identity) return
    const timer = setInterval(() => void breakOffUnlessUnlocked(sessions, clock, upstream), checkEveryMs)
    defer(() => clearInterval(timer))
  }
}

async function breakOffUnlessUnlocked(
  sessions: Pick<SessionCache, 'identify'>,
  clock: Clock,
  { request, response, sessionCookie = '', identity }: UpstreamRequest,
): Promise<void> {
  const isUnlocked = (other: { unlockedUntilMs: number }) => other.unlockedUntilMs > clock.nowMs()
  const found = await sessions.identify(sessionCookie, isUnlocked).catch(() => null)
  // guard: stream-ends-with-unlock
  if (found && found.sid === identity?.sid && isUnlocked(found)) return
  response.destroy()
  request.destroy()
}
