import type { SyncClock } from '@sumlock/sync/ports'
import type { PagePresence } from '../device/page-presence.ts'

const firstDelayMs = 2000
const maxDelayMs = 60_000
/** This many tries take about eight minutes. */
const maxTries = 12
/** After this time the next try is planned. An answer that comes later still counts. */
const answerWithinMs = 5000
/** Once all tries were made, requests on demand are at least this time apart. */
const restartGapMs = 5000

interface Round {
  tries: number
  askedAtMs: number
  isAsking: boolean
  timer: unknown
}

export interface KeyAskerOptions {
  /**
   * Fetches the keys of the partner. Rejects with a `status` if the server refuses, and without one if there is no
   * answer.
   */
  ask: (conversationId: string) => Promise<void>
  /** Returns whether a message of this conversation still waits for a key. */
  isWaiting: (conversationId: string) => boolean
  clock: SyncClock
  presence: PagePresence
}

export interface KeyAsker {
  /** Must be called when one more message of this conversation waits for a key. */
  want(conversationId: string): void
  close(): void
}

/**
 * Fetches the keys for which messages wait: at once, and then with growing pauses while messages wait and the page is
 * visible. After a refusal or too many tries, it stops until another message waits or the person returns to the page.
 */
export function createKeyAsker({ ask, isWaiting, clock, presence }: KeyAskerOptions): KeyAsker {
  const rounds = new Map<string, Round>()

  const delayAfter = (tries: number) =>
    Math.min(maxDelayMs, firstDelayMs * 2 ** (tries - 1)) * (0.75 + clock.random() / 2)

  const plan = (id: string, round: Round, delayMs: number) => {
    clock.clearTimeout(round.timer)
    round.timer = clock.setTimeout(() => {
      round.timer = undefined
      void run(id, round)
    }, delayMs)
  }
  const run = async (id: string, round: Round): Promise<void> => {
    if (!isWaiting(id)) rounds.delete(id)
    // For a hidden page, `onReturn` starts the next try.
    if (!isWaiting(id) || !presence.isVisible()) return
    round.tries += 1
    round.askedAtMs = clock.nowMs()
    round.isAsking = true
    const isRefused = await refusalWithin(() => ask(id), clock)
    round.isAsking = false
    if (!isWaiting(id)) rounds.delete(id)
    else if (isRefused) round.tries = maxTries
    else if (round.tries < maxTries) plan(id, round, delayAfter(round.tries))
  }
  const restart = (id: string, round: Round) => {
    if (round.isAsking) return
    round.tries = 0
    plan(id, round, Math.max(0, round.askedAtMs + restartGapMs - clock.nowMs()))
  }
  const stop = presence.onReturn(() => {
    for (const [id, round] of rounds) restart(id, round)
  })
  return {
    want(id) {
      const known = rounds.get(id)
      if (known) {
        if (known.tries >= maxTries && known.timer === undefined) restart(id, known)
        return
      }
      const round: Round = { tries: 0, askedAtMs: -Infinity, isAsking: false, timer: undefined }
      rounds.set(id, round)
      void run(id, round)
    },
    close() {
      stop()
      for (const { timer } of rounds.values()) clock.clearTimeout(timer)
      rounds.clear()
    },
  }
}

/**
 * Resolves to true if the server refused, which another try would not change, and to false after any other failure or
 * without an answer in time.
 */
function refusalWithin(ask: () => Promise<void>, clock: SyncClock): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = clock.setTimeout(() => resolve(false), answerWithinMs)
    const end = (isRefused: boolean) => {
      clock.clearTimeout(timer)
      resolve(isRefused)
    }
    ask().then(
      () => end(false),
      (error: unknown) => end(isRefusal((error as { status?: unknown }).status)),
    )
  })
}

const isRefusal = (status: unknown) =>
  typeof status === 'number' && status >= 400 && status < 500 && status !== 408 && status !== 429
