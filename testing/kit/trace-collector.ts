import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { waitUntil } from '@sumlock/deployment/wait-until'

interface OtlpSpan {
  name: string
  traceId: string
  spanId: string
  /** Empty for the root of a trace. */
  parentSpanId?: string
  attributes?: { key: string }[]
}

interface OtlpRequest {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] }
    scopeSpans: { spans: OtlpSpan[] }[]
  }[]
}

export type CollectedSpan = Required<OtlpSpan> & { service: string }

export interface TraceCollector {
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string
  readonly spans: readonly CollectedSpan[]
  /** Everything that was sent here, as text. */
  readonly received: string
  /** Resolves with the spans of a trace once they fit. */
  trace(traceId: string, fits: (spans: readonly CollectedSpan[]) => boolean): Promise<CollectedSpan[]>
  close(): Promise<void>
}

/** The receiving end of OTLP/HTTP with JSON: `POST /v1/traces`. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = []
  let received = ''
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method !== 'POST' || request.url !== '/v1/traces') {
        response.writeHead(404).end()
        return
      }
      received += `${body}\n`
      spans.push(...spansOf(JSON.parse(body) as OtlpRequest))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    get received() {
      return received
    },
    async trace(traceId, fits) {
      const found = () => spans.filter((span) => span.traceId === traceId)
      await waitUntil('the spans of the trace', () => fits(found()), { timeoutMs: 15_000 }).catch(
        (error: unknown) => {
          const seen = found().map(({ service, name }) => `${service}: ${name}`)
          throw new Error(`${String(error)}; arrived: ${seen.join(', ') || 'nothing'}`)
        },
      )
      return found()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const spansOf = ({ resourceSpans }: OtlpRequest): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const name = resource.attributes.find(({ key }) => key === 'service.name')
    const service = name?.value.stringValue ?? ''
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({ parentSpanId: '', attributes: [], ...span, service })),
    )
  })
