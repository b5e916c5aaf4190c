import type { Context } from './context.ts'
import type { LockSources } from './infrastructure/lock-sources.ts'
import type { OpenSession, OpenSessions } from './infrastructure/open-sessions.ts'

const sweepEveryMs = 250
/** At most this many requests to auth run at once, however many sessions are due. */
export const maxConcurrentChecks = 16
/** No further checks start for this time after auth did not answer one. */
const pauseMs = 1000
/**
 * A session stays open for this time after the known end of its unlock while auth does not answer, because activity may have
 * moved the end.
 */
const overdueAtMostMs = 5000
/** Auth is called this long before the end, so that a short outage at the end closes no socket of an active person. */
const askBeforeEndMs = 60_000
/** All sessions are checked at this interval while locks may be missed (`isInDoubt`). */
const recheckEveryMs = 2000
/** A session that may have changed is closed if auth does not confirm it within this time. */
const confirmedForMs = 4000

export interface SessionWatch {
  /** Checks these sessions, which may have changed, at auth. */
  recheck(sids: readonly string[]): void
  recheckAll(): void
  stop(): void
}

export interface SessionWatchOptions {
  ctx: Pick<Context, 'clock' | 'identify'>
  sessions: OpenSessions<unknown>
  lockSources: LockSources
  onEnd: (sid: string) => void
  /** Called when the session may be locked and auth does not answer. */
  onUnconfirmed: (sid: string) => void
}

/**
 * Ends sessions with open sockets when they are no longer unlocked. Activity moves the end of an unlock, so auth is called
 * shortly before the known end and at that time. All requests of the process go through one queue.
 */
export function watchSessions({
  ctx,
  sessions,
  lockSources,
  onEnd,
  onUnconfirmed,
}: SessionWatchOptions): SessionWatch {
  const askedAtMs = new WeakMap<object, number>()
  /** Auth listed the session as changed at this time. Only an answer to a later request confirms it. */
  const changedAtMs = new WeakMap<object, number>()
  let recheckedAtMs = 0

  const end = (sid: string) => {
    checks.forget(sid)
    onEnd(sid)
  }

  /** Checks a session at auth; rejects when auth does not answer. */
  const ask = async (sid: string): Promise<void> => {
    const session = sessions.get(sid)
    if (!session) return
    askedAtMs.set(session, ctx.clock.nowMs())
    const identity = await ctx.identify(session.cookie)
    // The session was closed and opened again during the request, so this answer may be outdated.
    if (sessions.get(sid) !== session) return
    if (!identity || identity.unlockedUntilMs <= ctx.clock.nowMs()) end(sid)
    else sessions.extend(identity)
  }

  const checks = createChecks(ask, ctx.clock)

  const isConfirmed = (session: OpenSession<unknown>): boolean =>
    session.askedAtMs >= (changedAtMs.get(session) ?? 0)

  const sweep = (): void => {
    const now = ctx.clock.nowMs()
    const isSilent = lockSources.isSilent()
    for (const session of sessions.all()) {
      const { sid, unlockedUntilMs } = session
      const wasAskedMs = now - (askedAtMs.get(session) ?? 0)
      const overdueMs = now - unlockedUntilMs
      const changedMs = isConfirmed(session) ? 0 : now - (changedAtMs.get(session) ?? now)
      const unconfirmedMs = isSilent ? now - session.askedAtMs : changedMs
      if (unconfirmedMs >= confirmedForMs) onUnconfirmed(sid)
      else if (overdueMs >= overdueAtMostMs) end(sid)
      else if (overdueMs >= 0 && !checks.isRunning(sid)) checks.due.add(sid)
      else if (overdueMs >= -askBeforeEndMs && wasAskedMs >= askBeforeEndMs) checks.suspect.add(sid)
    }
    if (lockSources.isInDoubt() && now - recheckedAtMs >= recheckEveryMs) recheckAll()
    checks.run()
  }

  const recheckAll = (): void => {
    recheckedAtMs = ctx.clock.nowMs()
    for (const { sid } of sessions.all()) checks.suspect.add(sid)
    checks.run()
  }

  const timer = setInterval(sweep, sweepEveryMs).unref()
  return {
    recheck(sids) {
      for (const sid of sids) {
        const session = sessions.get(sid)
        if (!session) continue
        if (isConfirmed(session)) changedAtMs.set(session, ctx.clock.nowMs())
        checks.suspect.add(sid)
      }
      checks.run()
    },
    recheckAll,
    stop: () => clearInterval(timer),
  }
}

/** Queues the sessions that have to be checked at auth. */
function createChecks(ask: (sid: string) => Promise<void>, clock: SessionWatchOptions['ctx']['clock']) {
  /** The unlock of these sessions should have ended; they are checked before those in `suspect`. */
  const due = new Set<string>()
  const suspect = new Set<string>()
  const inFlight = new Set<string>()
  let pausedUntilMs = 0

  const forget = (sid: string) => {
    due.delete(sid)
    suspect.delete(sid)
  }
  const run = (): void => {
    while (inFlight.size < maxConcurrentChecks && clock.nowMs() >= pausedUntilMs) {
      const queue = due.size > 0 ? due : suspect
      const sid = queue.values().next().value
      if (sid === undefined) return
      forget(sid)
      inFlight.add(sid)
      void ask(sid)
        .catch(() => {
          pausedUntilMs = clock.nowMs() + pauseMs
          // The check is repeated after the pause. The sweep ends sessions that stay overdue.
          suspect.add(sid)
        })
        .finally(() => {
          inFlight.delete(sid)
          run()
        })
    }
  }
  return { due, suspect, forget, run, isRunning: (sid: string) => inFlight.has(sid) }
}
