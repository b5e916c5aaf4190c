import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { waitUntil } from '@sumlock/deployment/wait-until'

/** A span as it arrived. */
export interface CollectedSpan {
  service: string
  name: string
  traceId: string
  spanId: string
  /** Empty for the root of a trace. */
  parentSpanId: string
  startedAtMs: number
  durationMs: number
  attributes: Readonly<Record<string, string | number>>
}

interface OtlpValue {
  stringValue?: string
  intValue?: string | number
  doubleValue?: number
}

interface OtlpAttribute {
  key: string
  value: OtlpValue
}

interface OtlpSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes?: OtlpAttribute[]
}

interface OtlpRequest {
  resourceSpans: {
    resource: { attributes: OtlpAttribute[] }
    scopeSpans: { spans: OtlpSpan[] }[]
  }[]
}

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
    void (async () => {
      const isTraces = request.method === 'POST' && request.url === '/v1/traces'
      const isJson = request.headers['content-type'] === 'application/json'
      if (!isTraces || !isJson) {
        response.writeHead(isTraces ? 415 : 404).end()
        return
      }
      const text = await textOf(request)
      received += `${text}\n`
      spans.push(...spansOf(JSON.parse(text) as OtlpRequest))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}')
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    get received() {
      return received
    },
    async trace(traceId, fits) {
      const found = () => spans.filter((span) => span.traceId === traceId)
      const seen = () => found().map(({ service, name }) => `${service}: ${name}`)
      await waitUntil('the spans of the trace', () => Promise.resolve(fits(found())), {
        timeoutMs: 15_000,
      }).catch((error: unknown) => {
        throw new Error(`${String(error)}; arrived: ${seen().join(', ') || 'nothing'}`)
      })
      return found()
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const spansOf = ({ resourceSpans }: OtlpRequest): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(attributesOf(resource.attributes)['service.name'])
    return scopeSpans.flatMap((scope) => scope.spans.map((span) => toSpan(service, span)))
  })

function toSpan(service: string, span: OtlpSpan): CollectedSpan {
  const [from, to] = [BigInt(span.startTimeUnixNano), BigInt(span.endTimeUnixNano)]
  return {
    service,
    name: span.name,
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId ?? '',
    startedAtMs: Number(from / 1000n) / 1000,
    durationMs: Number(to - from) / 1e6,
    attributes: attributesOf(span.attributes ?? []),
  }
}

const attributesOf = (list: readonly OtlpAttribute[]): Record<string, string | number> =>
  Object.fromEntries(
    list.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue ?? value.doubleValue)]),
  )
