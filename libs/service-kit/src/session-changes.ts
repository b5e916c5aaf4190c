import type { SessionChanges } from '@sumlock/contracts/internal-routes'
import type { Clock } from './clock.ts'
import type { Logger } from './logger.ts'
import { createRepeater } from './repeater.ts'

/** Time limit of the client behind `ask`: a request must end before the next one is due. */
export const sessionChangesTimeoutMs = 1500

export interface SessionFollowerOptions {
  /** Calls `getSessionChanges` of auth. Must settle within the interval: see `sessionChangesTimeoutMs`. */
  ask: (since: string | undefined) => Promise<SessionChanges>
  /** These sessions lost rights: discard what was cached of them before. Called once per change. */
  onChanged: (sids: readonly string[]) => void
  /** Any session may have changed: after the first request, or when auth cannot list the changes. */
  onReset: () => void
  clock: Clock
  logger: Logger
  intervalMs?: number
}

export interface SessionFollower {
  /**
   * Age of the newest good answer, counted from its request; Infinity before the first. Changes that were acknowledged
   * before that have been reported.
   */
  lastGoodAnswerAgeMs(): number
  stop(this: void): void
}

/** Asks auth every two seconds which sessions changed; one request at a time. */
export function followSessionChanges({
  ask,
  onChanged,
  onReset,
  clock,
  logger,
  intervalMs = 2000,
}: SessionFollowerOptions): SessionFollower {
  let since: string | undefined
  let goodSinceMs = -Infinity
  let isFailing = false
  let isStopped = false
  /** The changes of the last answer, which the next one may repeat. */
  let reported = new Map<string, number>()

  const apply = ({ cursor, changed, reset }: SessionChanges) => {
    const isNew = changed.filter(({ sid, changedAtMs }) => reported.get(sid) !== changedAtMs)
    if (reset) onReset()
    else if (isNew.length > 0) onChanged(isNew.map(({ sid }) => sid))
    reported = new Map(changed.map(({ sid, changedAtMs }) => [sid, changedAtMs]))
    since = cursor
  }
  const poll = async () => {
    const askedAtMs = clock.nowMs()
    try {
      const answer = await ask(since)
      if (isStopped) return
      apply(answer)
      goodSinceMs = askedAtMs
      if (isFailing) logger.info('auth answers session changes again')
      isFailing = false
    } catch (error) {
      if (!isFailing && !isStopped) logger.warn({ err: error }, 'auth did not answer session changes')
      isFailing = true
    }
  }

  const repeater = createRepeater({
    name: 'following session changes',
    everyMs: intervalMs,
    logger,
    run: poll,
  })
  return {
    lastGoodAnswerAgeMs: () => clock.nowMs() - goodSinceMs,
    stop() {
      isStopped = true
      void repeater.stop()
    },
  }
}
