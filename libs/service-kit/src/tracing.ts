import { currentRequest } from './request-context.ts'

/** Never content, PINs, codes, tokens, names, phone numbers or addresses: spans leave for another system. */
export type SpanAttributes = Readonly<Record<string, string | number>>

export interface SpanOptions {
  kind?: 'server' | 'client' | 'producer' | 'consumer'
  /** `traceparent` of the span above; that of the request under way when absent. */
  parent?: string | undefined
  attributes?: SpanAttributes
  /** Of `performance.now()`; now when absent. */
  startedAtMs?: number
  /** At the public door: may begin a trace, and the sampling ratio decides about one that a browser asks for. */
  isDoor?: boolean
}

export interface SpanEnd {
  /** A better name than the first. */
  name?: string
  attributes?: SpanAttributes
  failed?: boolean
  /** Of `performance.now()`; now when absent. */
  endedAtMs?: number
}

export interface Span {
  /** To be handed to what this span leads to; undefined when nothing is recorded. */
  readonly traceparent: string | undefined
  end(end?: SpanEnd): void
}

export interface Tracing {
  start(name: string, options?: SpanOptions): Span
  /** Sends what is left; resolves after 2 s at the latest, whatever the collector does. */
  close(): Promise<void>
}

const nothing: Span = { traceparent: undefined, end: () => undefined }

/** What a service traces with while tracing is off. */
export const noTracing: Tracing = { start: () => nothing, close: () => Promise.resolve() }

/** Starts spans in an exporter; the decision what to record is made here. */
export type StartRecorded = (name: string, parent: string | undefined, options: SpanOptions) => Span

/** Only the door decides; behind it a span is recorded exactly when the one above it is. */
export const sampled =
  (ratio: number, start: StartRecorded): Tracing['start'] =>
  (name, options = {}) => {
    const parent = options.parent ?? currentRequest()?.traceparent
    if (options.isDoor === true ? Math.random() >= ratio : parent === undefined) return nothing
    return start(name, parent, options)
  }
