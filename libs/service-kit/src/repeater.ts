import type { Logger } from './logger.ts'
import { runFor } from './request-context.ts'

export interface RepeaterOptions {
  /** Name of the job in the log: `pruning sessions`. */
  name: string
  everyMs: number
  logger: Pick<Logger, 'warn'>
  /** `stopping` is aborted at the stop: a run that takes long should then end early. */
  run: (stopping: AbortSignal) => Promise<unknown>
  /** False: the first run comes after `everyMs`. */
  startsAtOnce?: boolean
}

export interface Repeater {
  /** Runs the job now; during a run, once more as soon as that run has ended. */
  kick(this: void): void
  /** Stops the timer and resolves when the present run, and one requested during it, have ended. */
  stop(this: void): Promise<void>
}

/**
 * Runs a job now and every `everyMs`, never twice at the same time: a period that ends during a run is skipped. A failed run is
 * logged, and the next one follows as usual. The timer does not keep the process alive.
 */
export function createRepeater({
  name,
  everyMs,
  logger,
  run,
  startsAtOnce = true,
}: RepeaterOptions): Repeater {
  let running: Promise<void> | undefined
  let isKicked = false
  const stopping = new AbortController()

  const runOnce = async () => {
    try {
      await run(stopping.signal)
    } catch (error) {
      logger.warn({ err: error, job: name }, 'job failed and will run again')
    }
  }
  const start = () => {
    // A run serves no single request: its log lines carry no request id.
    running ??= runFor(undefined, runOnce).finally(() => {
      running = undefined
      if (!isKicked) return
      isKicked = false
      start()
    })
  }

  const timer = setInterval(start, everyMs).unref()
  if (startsAtOnce) start()
  return {
    kick() {
      if (stopping.signal.aborted) return
      if (running) isKicked = true
      else start()
    },
    async stop() {
      stopping.abort()
      clearInterval(timer)
      while (running) await running
    },
  }
}
