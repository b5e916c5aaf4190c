import { shareInterval } from '@sumlock/service-kit/shared-interval'
import type { Context } from './context.ts'
import type { OpenSessions } from './infrastructure/open-sessions.ts'

const sweepEveryMs = 250
/** Concurrent requests to auth, however many sessions are due. */
export const maxConcurrentChecks = 16
/** No request is sent for so long after auth did not answer one. */
const pauseMs = 1000
/**
 * How long a session stays open after the known end of its unlock while auth does not answer: activity may have moved
 * the end.
 */
const overdueAtMostMs = 5000
/** Auth is asked this long before the end, so that a short outage at the end closes no socket of an active person. */
const askBeforeEndMs = 60_000
/** How often all sessions are checked while `isUninformed`. */
const recheckEveryMs = 4000

export interface SessionWatch {
  /** Asks auth about these sessions, which may have changed. */
  recheck(sids: readonly string[]): void
  recheckAll(): void
  stop(): void
}

export interface SessionWatchOptions {
  ctx: Pick<Context, 'clock' | 'identify'>
  sessions: OpenSessions<unknown>
  /** True while neither Redis nor auth's list of changes can be relied on. */
  isUninformed: () => boolean
  onEnd: (sid: string) => void
}

/**
 * Ends sessions with open sockets when they are no longer unlocked. Activity moves the end, so auth is asked shortly
 * before it and at it; all requests of the process go through one queue.
 */
export function watchSessions({ ctx, sessions, isUninformed, onEnd }: SessionWatchOptions): SessionWatch {
  /** Sessions past the end of their unlock; they are checked before those that may have changed. */
  const due = new Set<string>()
  const suspect = new Set<string>()
  const inFlight = new Set<string>()
  const askedAtMs = new WeakMap<object, number>()
  let pausedUntilMs = 0
  let recheckedAtMs = 0

  const end = (sid: string) => {
    due.delete(sid)
    suspect.delete(sid)
    onEnd(sid)
  }

  const ask = async (sid: string): Promise<void> => {
    const session = sessions.get(sid)
    if (!session) return
    askedAtMs.set(session, ctx.clock.nowMs())
    try {
      const identity = await ctx.identify(session.cookie)
      // The session was closed and opened again meanwhile: this answer may be outdated.
      if (sessions.get(sid) !== session) return
      if (!identity || identity.unlockedUntilMs <= ctx.clock.nowMs()) end(sid)
      else sessions.extend(sid, identity.unlockedUntilMs)
    } catch {
      pausedUntilMs = ctx.clock.nowMs() + pauseMs
      // The sweep asks again, and ends sessions that stay overdue.
      if (sessions.get(sid) === session) suspect.add(sid)
    }
  }

  const pump = (): void => {
    while (inFlight.size < maxConcurrentChecks && ctx.clock.nowMs() >= pausedUntilMs) {
      const queue = due.size > 0 ? due : suspect
      const sid = queue.values().next().value
      if (sid === undefined) return
      due.delete(sid)
      suspect.delete(sid)
      inFlight.add(sid)
      void ask(sid).finally(() => {
        inFlight.delete(sid)
        pump()
      })
    }
  }

  const sweep = (): void => {
    const now = ctx.clock.nowMs()
    for (const session of sessions.all()) {
      const { sid, unlockedUntilMs } = session
      const wasAskedMs = now - (askedAtMs.get(session) ?? 0)
      const overdueMs = now - unlockedUntilMs
      if (overdueMs >= overdueAtMostMs) end(sid)
      else if (overdueMs >= 0 && !inFlight.has(sid)) due.add(sid)
      else if (overdueMs >= -askBeforeEndMs && wasAskedMs >= askBeforeEndMs) suspect.add(sid)
    }
    if (isUninformed() && now - recheckedAtMs >= recheckEveryMs) recheckAll()
    pump()
  }

  const recheckAll = (): void => {
    recheckedAtMs = ctx.clock.nowMs()
    for (const { sid } of sessions.all()) suspect.add(sid)
    pump()
  }

  const stop = shareInterval(sweepEveryMs, sweep)
  return {
    recheck(sids) {
      for (const sid of sids) if (sessions.get(sid)) suspect.add(sid)
      pump()
    },
    recheckAll,
    stop,
  }
}
