import type { SessionChanges } from '@sumlock/contracts/internal-routes'
import type { Clock } from './clock.ts'
import type { Logger } from './logger.ts'
import { createRepeater } from './repeater.ts'

/** Give the client that asks this time-out: one question must end before the next is due. */
export const sessionChangesTimeoutMs = 1500

export interface SessionFollowerOptions {
  /** Asks auth (`getSessionChanges`). It must settle within the interval: see `sessionChangesTimeoutMs`. */
  ask: (since: string | undefined) => Promise<SessionChanges>
  /** Sessions that lost something: nothing learnt of them before this call counts any more. Each change is told once. */
  onChanged: (sids: readonly string[]) => void
  /** Auth could not list what changed, or has been asked for the first time: any session may have. */
  onReset: () => void
  clock: Clock
  logger: Logger
  intervalMs?: number
}

export interface SessionFollower {
  /**
   * How old the newest good answer is, counted from when it was asked for; Infinity before the first. A change that was
   * acknowledged longer ago than this has been told.
   */
  lastGoodAnswerAgeMs(): number
  stop(this: void): void
}

/** Asks auth every two seconds which sessions changed. One question at a time; an unanswered one delays no later one. */
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
  let told = new Map<string, number>()

  const take = ({ cursor, changed, reset }: SessionChanges) => {
    const isNew = changed.filter(({ sid, changedAtMs }) => told.get(sid) !== changedAtMs)
    if (reset) onReset()
    else if (isNew.length > 0) onChanged(isNew.map(({ sid }) => sid))
    told = new Map(changed.map(({ sid, changedAtMs }) => [sid, changedAtMs]))
    since = cursor
  }
  const question = async () => {
    const askedAtMs = clock.nowMs()
    try {
      const answer = await ask(since)
      if (isStopped) return
      take(answer)
      goodSinceMs = askedAtMs
      if (isFailing) logger.info('session changes are followed again')
      isFailing = false
    } catch (error) {
      if (!isFailing && !isStopped) logger.warn({ err: error }, 'session changes could not be read')
      isFailing = true
    }
  }

  const repeater = createRepeater({
    name: 'following session changes',
    everyMs: intervalMs,
    logger,
    run: question,
  })
  return {
    lastGoodAnswerAgeMs: () => clock.nowMs() - goodSinceMs,
    stop() {
      isStopped = true
      void repeater.stop()
    },
  }
}
