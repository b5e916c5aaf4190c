import type { CommonConfig } from './config.ts'
import type { Logger } from './logger.ts'
import { runFor } from './request-context.ts'
import { startTracing } from './tracing.ts'
import type { Tracing } from './tracing.ts'

/** The tracing of a service, off unless configured. A collector that is away costs spans, one line in the log, and nothing else. */
export function startServiceTracing(config: CommonConfig, logger: Logger, service: string): Promise<Tracing> {
  let isAway = false
  const onExport = (error: Error | undefined) => {
    if (isAway === (error !== undefined)) return
    isAway = error !== undefined
    runFor(undefined, () => {
      if (error) logger.warn({ err: error }, 'the trace collector does not take spans; they are dropped')
      else logger.info('the trace collector takes spans again')
    })
  }
  return startTracing(config, { service, instance: config.INSTANCE, onExport })
}
