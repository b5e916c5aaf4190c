import type { Logger } from '@sumlock/service-kit/logger'

/** Runs work after an answer, so that the time of the answer reveals nothing about the work. */
export function createBackgroundWork(logger: Pick<Logger, 'warn'>) {
  const running = new Set<Promise<void>>()
  return {
    /** Starts the work in the next turn of the event loop, so that the answer does not wait for it. A failure is logged. */
    run(name: string, work: () => Promise<void>): void {
      const task = new Promise(setImmediate)
        .then(work)
        .catch((error: unknown) => logger.warn({ err: error, name }, 'work after an answer failed'))
        .finally(() => running.delete(task))
      running.add(task)
    },
    settled: async (): Promise<void> => {
      await Promise.all(running)
    },
  }
}
