import { Gauge } from 'prom-client'
import { createRepeater } from './repeater.ts'
import type { Repeater, RepeaterOptions } from './repeater.ts'
import type { ServiceBase } from './service-base.ts'

/** Runs a job as `createRepeater` does, until the service stops. */
export type Repeat = (this: void, options: Omit<RepeaterOptions, 'logger'>) => Repeater

/** Returns the function with which a service repeats jobs. A metric gives the time for which each job has failed. */
export function createRepeat({
  logger,
  metrics,
  onClose,
}: Pick<ServiceBase, 'logger' | 'metrics' | 'onClose'>): Repeat {
  /** The value is the time (`performance.now()`) of the first failure since the last success, and 0 after a success. */
  const failingSince = new Map<string, number>()
  new Gauge({
    name: 'repeated_work_failing_seconds',
    help: 'Seconds since the first failure of repeated work after its last success; 0 when its last run succeeded',
    labelNames: ['work'] as const,
    registers: [metrics.registry],
    collect() {
      for (const [work, sinceMs] of failingSince)
        this.set({ work }, sinceMs && (performance.now() - sinceMs) / 1000)
    },
  })

  return ({ name, run, ...options }) => {
    failingSince.set(name, 0)
    const repeater = createRepeater({
      ...options,
      name,
      logger,
      async run(stopping) {
        try {
          await run(stopping)
          failingSince.set(name, 0)
        } catch (error) {
          failingSince.set(name, failingSince.get(name) || performance.now())
          throw error
        }
      },
    })
    onClose(repeater.stop)
    return repeater
  }
}
