import type { CommonConfig } from './config.ts'
import type { Logger } from './logger.ts'
import { createOtlpTracing } from './otlp-tracing.ts'
import { runFor } from './request-context.ts'
import { noTracing } from './tracing.ts'
import type { Tracing } from './tracing.ts'

export type TracingConfig = Pick<
  CommonConfig,
  'OTEL_EXPORTER_OTLP_ENDPOINT' | 'TRACE_SAMPLE_RATIO' | 'INSTANCE'
>

/**
 * Sends spans to an OpenTelemetry collector over OTLP/HTTP if one is configured. While the collector is away, spans
 * are dropped; only the first failure is logged.
 */
export function startServiceTracing(
  config: TracingConfig,
  logger: Pick<Logger, 'warn' | 'info'>,
  service: string,
): Tracing {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, TRACE_SAMPLE_RATIO: ratio, INSTANCE: instance } = config
  if (endpoint === '') return noTracing
  let isAway = false
  const onExport = (error: Error | undefined) => {
    if (isAway === (error !== undefined)) return
    isAway = error !== undefined
    runFor(undefined, () => {
      if (error) logger.warn({ err: error }, 'trace collector refused spans; they are dropped')
      else logger.info('trace collector accepts spans again')
    })
  }
  return createOtlpTracing({ service, instance, endpoint, ratio, onExport })
}
