import { setTimeout as wait } from 'node:timers/promises'
import { createLogger } from '@sumlock/service-kit/logger'
import type { Logger } from '@sumlock/service-kit/logger'

/**
 * Runs a job and logs its result as JSON, like the services. When it fails, the last line has the error, and the
 * process ends with 1.
 */
export async function runJob(name: string, work: (logger: Logger) => Promise<string>): Promise<void> {
  const logger = createLogger({ service: name, instance: name, level: 'info' })
  try {
    logger.info(await work(logger))
  } catch (error) {
    logger.fatal({ err: error }, 'the job failed')
    process.exit(1)
  }
}

export interface WaitForOptions {
  /** A rejection of the last attempt is passed on after this time; 10 minutes when absent. */
  timeoutMs?: number
  everyMs?: number
  /** An error for which this returns true ends the wait at once. */
  isFatal?: (error: unknown) => boolean
}

/**
 * Repeats `attempt` until it resolves, and logs each failure. Engines may start minutes after a job, and each attempt
 * of a Job in a cluster that fails early delays the next one.
 */
export async function waitFor<T>(
  what: string,
  attempt: () => Promise<T>,
  logger: Logger,
  { timeoutMs = 600_000, everyMs = 2000, isFatal = () => false }: WaitForOptions = {},
): Promise<T> {
  const giveUpAt = performance.now() + timeoutMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (isFatal(error) || performance.now() > giveUpAt) throw error
      logger.warn({ err: error }, `${what} is not ready yet; trying again`)
    }
    await wait(everyMs)
  }
}
