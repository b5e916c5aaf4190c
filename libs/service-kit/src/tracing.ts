import { currentRequest } from './request-context.ts'

/**
 * Attributes must not contain content, PINs, codes, tokens, names, phone numbers or addresses, because spans are sent
 * to another system.
 */
export type SpanAttributes = Readonly<Record<string, string | number>>

export interface SpanOptions {
  kind?: 'server' | 'client' | 'producer' | 'consumer'
  /** The value is the `traceparent` of the parent span; the current request's when absent. */
  parent?: string | undefined
  attributes?: SpanAttributes
  /** The value is a time of `performance.now()`; now when absent. */
  startedAtMs?: number
  /**
   * At the public edge a span may start a trace. The sampling ratio decides about it, and also about a browser's
   * `traceparent`.
   */
  isEdge?: boolean
}

export interface SpanEnd {
  /** Replaces the name that was given at the start. */
  name?: string
  attributes?: SpanAttributes
  failed?: boolean
  /** The value is a time of `performance.now()`; now when absent. */
  endedAtMs?: number
}

export interface Span {
  /** Child spans name this as their parent; undefined when nothing is recorded. */
  readonly traceparent: string | undefined
  end(end?: SpanEnd): void
}

export interface Tracing {
  start(name: string, options?: SpanOptions): Span
  /** Sends the remaining spans; resolves after 2 s at the latest. */
  close(): Promise<void>
}

const nothing: Span = { traceparent: undefined, end: () => undefined }

/** Records nothing. Services use it when tracing is off. */
export const noTracing: Tracing = { start: () => nothing, close: () => Promise.resolve() }

/** Starts a span that is recorded, without sampling. */
export type StartRecorded = (name: string, parent: string | undefined, options: SpanOptions) => Span

/** At the edge, sampling decides whether a span is recorded. Behind it, a span is recorded exactly if its parent is. */
export const sampled =
  (ratio: number, start: StartRecorded): Tracing['start'] =>
  (name, options = {}) => {
    const parent = options.parent ?? currentRequest()?.traceparent
    if (options.isEdge === true ? Math.random() >= ratio : parent === undefined) return nothing
    return start(name, parent, options)
  }
