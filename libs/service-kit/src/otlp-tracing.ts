import { setTimeout as wait } from 'node:timers/promises'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import { sampled } from './tracing.ts'
import type { SpanOptions, StartRecorded, Tracing } from './tracing.ts'

export interface OtlpTracingOptions {
  service: string
  instance: string
  /** The value is the collector's base URL, without `/v1/traces`. */
  endpoint: string
  ratio: number
  /** Receives the error of each export, or undefined after a success. */
  onExport: (error: Error | undefined) => void
}

const kinds: Record<NonNullable<SpanOptions['kind']>, SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
}
const exportEveryMs = 1000
const exportTimeoutMs = 2000

/**
 * Turns a value of `performance.now()` into milliseconds since the epoch, with fractions. The SDK itself starts spans
 * on whole milliseconds.
 */
const epochMs = (sinceStartMs = performance.now()) => performance.timeOrigin + sinceStartMs

/** Records spans with the OpenTelemetry SDK, which only this file imports. */
export function createOtlpTracing({
  service,
  instance,
  endpoint,
  ratio,
  onExport,
}: OtlpTracingOptions): Tracing {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const exporter = reporting(new OTLPTraceExporter({ url, timeoutMillis: exportTimeoutMs }), onExport)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.instance.id': instance }),
    // The processor drops spans that do not fit into its queue, so that tracing never delays requests.
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: exportEveryMs })],
  })
  const tracer = provider.getTracer('sumlock')

  const start: StartRecorded = (name, parent, { kind, attributes = {}, startedAtMs }) => {
    const above =
      parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, toSpanContext(parent))
    const options = {
      attributes,
      startTime: epochMs(startedAtMs),
      kind: kind ? kinds[kind] : SpanKind.INTERNAL,
    }
    const span = tracer.startSpan(name, options, above)
    const { traceId, spanId } = span.spanContext()
    return {
      traceparent: `00-${traceId}-${spanId}-01`,
      end(end = {}) {
        if (end.name) span.updateName(end.name)
        if (end.attributes) span.setAttributes(end.attributes)
        if (end.failed) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end(epochMs(end.endedAtMs))
      },
    }
  }

  return {
    start: sampled(ratio, start),
    close: () =>
      Promise.race([
        provider.shutdown().catch(() => undefined),
        wait(exportTimeoutMs, undefined, { ref: false }),
      ]),
  }
}

function toSpanContext(traceparent: string) {
  const [, traceId = '', spanId = ''] = traceparent.split('-')
  return { traceId, spanId, traceFlags: 1, isRemote: true }
}

function reporting(inner: OTLPTraceExporter, onExport: OtlpTracingOptions['onExport']): SpanExporter {
  return {
    export: (spans, done) =>
      inner.export(spans, (result) => {
        onExport(
          Number(result.code) === 0
            ? undefined
            : (result.error ?? new Error('the collector refused the spans')),
        )
        done(result)
      }),
    forceFlush: () => inner.forceFlush(),
    shutdown: () => inner.shutdown(),
  }
}
