import type { SessionChanges } from '@sumlock/contracts/internal-routes'
import { createChangeFeed } from './change-feed.ts'
import type { Clock } from './clock.ts'
import type { Logger } from './logger.ts'
import { createRepeater } from './repeater.ts'

/** Time limit of the client behind `ask`: a request must end before the next one is due. */
export const sessionChangesTimeoutMs = 1500

/**
 * A primary that was cut off answers reads for ten seconds: an exchange may read the state before a younger change, although the
 * change was listed.
 */
const repeatedForMs = 12_000

type Change = SessionChanges['changed'][number]

/** The cursor of the previous answer. */
interface Position {
  since: string | undefined
}

export interface SessionFollowerOptions {
  /** Calls `getSessionChanges` of auth. Must settle within the interval: see `sessionChangesTimeoutMs`. */
  ask: (position: Position) => Promise<SessionChanges>
  /** These sessions lost rights: discard what is cached of them. Called repeatedly while a change is young. */
  onChanged: (sids: readonly string[]) => void
  /** Any session may have changed, because this is the first answer or auth has not listed the changes. */
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
    // A session may change again.
    keyOf: ({ sid, changedAtMs }) => `${sid} ${changedAtMs}`,
    // Both times are the database's.
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
