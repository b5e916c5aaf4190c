import type { Logger } from './logger.ts'

export interface PeriodicJobOptions {
  /** What the job does, for the log: `pruning sessions`. */
  name: string
  everyMs: number
  logger: Pick<Logger, 'warn'>
  run: () => Promise<unknown>
}

export interface PeriodicJob {
  /** Stops the timer and resolves when a run that has begun is over. */
  stop(): Promise<void>
}

/**
 * The thin timer around a job such as `runDue(now)`: at once, then every `everyMs`, never twice at the same time. A run that
 * fails is logged, and the next one comes in its time. The timer does not keep the process alive.
 */
export function runPeriodically({ name, everyMs, logger, run }: PeriodicJobOptions): PeriodicJob {
  let running: Promise<unknown> | undefined
  const start = () => {
    running ??= run()
      .catch((error: unknown) => logger.warn({ err: error, job: name }, 'job failed and will run again'))
      .finally(() => (running = undefined))
  }
  const timer = setInterval(start, everyMs)
  timer.unref()
  start()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
