import type { SessionChanges } from '@sumlock/contracts/internal-routes'
import { createChangeFeed } from './change-feed.ts'
import type { Clock } from './clock.ts'
import type { Logger } from './logger.ts'
import { createRepeater } from './repeater.ts'

/** The client behind `ask` needs this time limit, because a request must end before the next one is due. */
export const sessionChangesTimeoutMs = 1500

/**
 * A MongoDB primary that was cut off from its set may answer reads with old data for ten seconds. Auth may therefore
 * give out the old state of a session after its change was listed. The change is reported again for this time, so
 * that such a state is discarded.
 */
const repeatedForMs = 12_000

type Change = SessionChanges['changed'][number]

/** The value is the cursor of the previous answer; undefined at first. */
interface Position {
  since: string | undefined
}

export interface SessionFollowerOptions {
  /** Calls `getSessionChanges` of auth. Must settle within the interval (`sessionChangesTimeoutMs`). */
  ask: (position: Position) => Promise<SessionChanges>
  /**
   * Receives sessions that lost rights; what is cached of them must be discarded. Called repeatedly for a recent
   * change.
   */
  onChanged: (sids: readonly string[]) => void
  /** Called when any session may have changed: at the first answer, and when auth could not list all changes. */
  onReset: () => void
  clock: Clock
  logger: Logger
  intervalMs?: number
}

export interface SessionFollower {
  /**
   * Returns the time since the request of the last successful answer; Infinity before the first. All changes that
   * auth stored before that request have been reported.
   */
  lastGoodAnswerAgeMs(): number
  stop(this: void): void
}

/** Fetches the changed sessions from auth every two seconds, one request at a time. */
export function followSessionChanges({
  ask,
  onChanged,
  onReset,
  clock,
  logger,
  intervalMs = 2000,
}: SessionFollowerOptions): SessionFollower {
  let since: string | undefined
  let cursor: string | undefined
  let goodSinceMs = -Infinity
  let isFailing = false
  let isStopped = false

  const read = createChangeFeed<Change, Position>({
    async ask(position) {
      const answer = await ask(position)
      cursor = answer.cursor
      if (answer.reset && !isStopped) onReset()
      return { changes: answer.changed }
    },
    // The time is part of the key, because a session may change several times.
    keyOf: ({ sid, changedAtMs }) => `${sid} ${changedAtMs}`,
    // Auth's database has set both times, so clocks of other machines do not matter.
    isFinal: ({ changedAtMs }) => Number(cursor) - changedAtMs >= repeatedForMs,
    apply(changes) {
      if (!isStopped) onChanged(changes.map(({ sid }) => sid))
    },
  })
  const poll = async () => {
    const askedAtMs = clock.nowMs()
    try {
      await read({ since })
      if (isStopped) return
      since = cursor
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
