import type { Logger } from './logger.ts'
import { runFor } from './request-context.ts'

export interface RepeaterOptions {
  /** The log names the job like this: `pruning sessions`. */
  name: string
  everyMs: number
  logger: Pick<Logger, 'warn'>
  /** `stopping` is aborted when the repeater is stopped, so that a long run can end early. */
  run: (stopping: AbortSignal) => Promise<unknown>
  /** When false, the first run comes only after `everyMs`. */
  startsAtOnce?: boolean
}

export interface Repeater {
  /** Runs the job now or, when it is running, once more after that run. */
  kick(this: void): void
  /** Stops the timer and resolves when the present run, and one requested during it, have ended. */
  stop(this: void): Promise<void>
}

/**
 * Runs a job now and every `everyMs`, never twice at the same time: a period that ends during a run is skipped. A
 * failed run is logged, and the job runs again at the next period. The timer does not keep the process alive.
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
    // `start` may be called within a request, whose id must not appear in the log lines of the run.
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
