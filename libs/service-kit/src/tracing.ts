import { currentRequest } from './request-context.ts'

/**
 * They must not contain content, PINs, codes, tokens, names, phone numbers or addresses, because spans are sent to
 * another system.
 */
export type SpanAttributes = Readonly<Record<string, string | number>>

export interface SpanOptions {
  kind?: 'server' | 'client' | 'producer' | 'consumer'
  /** `traceparent` of the parent span; the current request's when absent. */
  parent?: string | undefined
  attributes?: SpanAttributes
  /** A time of `performance.now()`; now when absent. */
  startedAtMs?: number
  /** At the public edge a span may start a trace, and the sampling ratio also decides about a browser's `traceparent`. */
  isEdge?: boolean
}

export interface SpanEnd {
  /** Replaces the first name. */
  name?: string
  attributes?: SpanAttributes
  failed?: boolean
  /** The end by `performance.now()`; now when absent. */
  endedAtMs?: number
}

export interface Span {
  /** The parent of child spans; undefined when nothing is recorded. */
  readonly traceparent: string | undefined
  end(end?: SpanEnd): void
}

export interface Tracing {
  start(name: string, options?: SpanOptions): Span
  /** Sends the remaining spans; resolves after 2 s at the latest. */
  close(): Promise<void>
}

const nothing: Span = { traceparent: undefined, end: () => undefined }

/** Records nothing: tracing is off. */
export const noTracing: Tracing = { start: () => nothing, close: () => Promise.resolve() }

/** Starts a span that is recorded. */
export type StartRecorded = (name: string, parent: string | undefined, options: SpanOptions) => Span

/** The edge decides by sampling; behind it, a span is recorded exactly if its parent is. */
export const sampled =
  (ratio: number, start: StartRecorded): Tracing['start'] =>
  (name, options = {}) => {
    const parent = options.parent ?? currentRequest()?.traceparent
    if (options.isEdge === true ? Math.random() >= ratio : parent === undefined) return nothing
    return start(name, parent, options)
  }
