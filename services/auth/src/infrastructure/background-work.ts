import type { Logger } from '@sumlock/service-kit/logger'

/** Work that an answer does not wait for, so that the time of the answer reveals nothing about it. */
export function createBackgroundWork(logger: Pick<Logger, 'warn'>) {
  const running = new Set<Promise<void>>()
  return {
    /** Begins after the answer of the present request. A failure is logged. */
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
