import { isStream } from '@sumlock/contracts/route-body'
import type { Clock } from '@sumlock/service-kit/clock'
import type { SessionCache } from '../infrastructure/session-cache.ts'
import { tooManyRequests } from './limits.ts'
import type { UpstreamRequest } from './upstream-request.ts'

/** A tab uses three. Each holds some 0.4 MB of buffers while its client is slow. */
export const streamBounds = { perPerson: 12, total: 256 }
const checkEveryMs = 500

/**
 * Counts the uploads and downloads in flight, apart from all other requests, and breaks one off within a second of the end
 * of its unlock. Of other routes it does nothing.
 */
export function watchStreams(
  sessions: Pick<SessionCache, 'identify'>,
  clock: Clock,
  { perPerson, total } = streamBounds,
): (upstream: UpstreamRequest) => void {
  const running = new Map<string, number>()
  let count = 0
  return (upstream) => {
    const { route, response, identity, defer } = upstream
    if (!isStream(route) || !identity) return
    const own = running.get(identity.userId) ?? 0
    if (own >= perPerson || count >= total) throw tooManyRequests(response, route)
    running.set(identity.userId, own + 1)
    count += 1
    const timer = setInterval(() => void breakOffUnlessUnlocked(sessions, clock, upstream), checkEveryMs)
    defer(() => {
      clearInterval(timer)
      count -= 1
      const left = (running.get(identity.userId) ?? 1) - 1
      if (left > 0) running.set(identity.userId, left)
      else running.delete(identity.userId)
    })
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
