import { randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { getUser } from '@sumlock/contracts/auth-routes'
import { deviceMarkerCookie } from '@sumlock/contracts/cookies'
import { verifyNumericPassword } from '@sumlock/contracts/lock-routes'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import { everyService } from '@sumlock/deployment/every-service'
import { waitUntil } from '@sumlock/deployment/wait-until'
import type { Stack } from '@sumlock/dev/product/services'
import type { LiveConnection } from '@sumlock/sync/ports'
import { startTestStack } from '../kit/engines.ts'
import { adminPerson, befriend, makePremium, unlock, unlockedPerson } from '../kit/people.ts'
import type { Person } from '../kit/people.ts'
import { connect, nextEvent, nextState } from '../kit/socket.ts'

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

type CollectedSpan = Required<OtlpSpan> & { service: string }

interface TraceCollector {
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string
  readonly spans: readonly CollectedSpan[]
  /** Everything that was sent to this server, as text. */
  readonly received: string
  /** Resolves with the spans of a trace once they match. */
  trace(traceId: string, fits: (spans: readonly CollectedSpan[]) => boolean): Promise<CollectedSpan[]>
  close(): Promise<void>
}

/** The receiving end of OTLP/HTTP with JSON: `POST /v1/traces`. */
async function startTraceCollector(): Promise<TraceCollector> {
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

const hex = (bytes: number) => randomBytes(bytes).toString('hex')
const canary = `canary-${hex(8)}`
const secrets = { fullName: `Canary ${canary}`, password: `pass ${canary}`, pin: '918273645' }

let collector: TraceCollector
let stack: Stack
let [ann, bob]: Person[] = []
let conversationId: string

beforeAll(async () => {
  collector = await startTraceCollector()
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, TRACE_SAMPLE_RATIO: '1' }
  stack = await startTestStack({ replicas: { notify: 0 }, env: everyService(env) })
  ann = await unlockedPerson(stack, secrets)
  bob = await unlockedPerson(stack, secrets)
  await makePremium(await adminPerson(stack), ann)
  conversationId = (await befriend(ann, bob)).id
})
const opened: LiveConnection[] = []
afterAll(async () => {
  for (const live of opened) live.close()
  await stack.stop()
  await collector.close()
})

/** Calls like the web client, within a trace that the call names. */
async function send(from: Person, more: object = {}) {
  const traceId = hex(16)
  const browserSpanId = hex(8)
  const body = JSON.stringify({
    conversationId,
    messageType: 'text',
    content: `Private: ${canary}`,
    clientMessageId: randomUUID(),
    ...more,
  })
  const answer = await from.client.raw(sendMessage.method, sendMessage.path, {
    body,
    headers: {
      'content-type': 'application/json',
      'x-csrf-token': await from.client.csrfToken(),
      traceparent: `00-${traceId}-${browserSpanId}-01`,
    },
  })
  expect(answer.status).toBe(201)
  return { traceId, browserSpanId, message: (await answer.json()) as { id: string } }
}

const label = ({ service, name }: CollectedSpan) => `${service}: ${name}`
const names = (spans: readonly CollectedSpan[]) => spans.map(label)

/** Each span with its parents, the browser's first. */
function pathsOf(spans: readonly CollectedSpan[], browserSpanId: string): string[][] {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const pathTo = (span: CollectedSpan): string[] => {
    const above = byId.get(span.parentSpanId)
    const root = span.parentSpanId === browserSpanId ? 'browser' : 'an unknown span'
    return [...(above ? pathTo(above) : [root]), label(span)]
  }
  return spans.map(pathTo)
}

it('records one trace for a message, from the browser’s request to the receiver’s socket', async () => {
  // Unlocking makes the gateway forget the token, so that the exchange is part of the trace.
  await unlock(ann as Person)
  const live = connect(bob as Person)
  opened.push(live)
  await nextState(live, ({ connected }) => connected)
  const seen = nextEvent(live, ({ type }) => type === 'new_message')
  const { traceId, browserSpanId, message } = await send(ann as Person)
  expect(await seen).toMatchObject({ data: { id: message.id } })

  const gateway = ['browser', 'gateway: POST /api/messages']
  const service = [...gateway, 'messaging: POST /api/messages']
  const expected = [
    gateway,
    [...gateway, 'gateway: auth /internal/session-token'],
    [...gateway, 'gateway: auth /internal/session-token', 'auth: POST /internal/session-token'],
    service,
    [...service, 'messaging: wait for group commit'],
    [...service, 'messaging: group commit'],
    [...service, 'messaging: publish hint'],
    [...service, 'messaging: publish hint', 'realtime: emit to sockets'],
    [...service, 'messaging: publish event'],
  ]
  // Realtime skips the event, unless Redis took the hint but answered too late.
  const late = [...service, 'messaging: publish event', 'realtime: consume messaging.message-sent.v1']
  const asText = (path: string[]) => path.join(' > ')
  const paths = (spans: readonly CollectedSpan[]) => pathsOf(spans, browserSpanId).map(asText)
  const wanted = expected.map(asText)
  const spans = await collector.trace(traceId, (arrived) => {
    const arrivedPaths = paths(arrived)
    return wanted.every((path) => arrivedPaths.includes(path))
  })
  expect([...wanted, asText(late)]).toEqual(expect.arrayContaining(paths(spans)))
})

it('begins a new trace at the gateway for a request that our page did not make', async () => {
  const { client } = ann as Person
  const named = [hex(16), hex(16), hex(16)] as const
  const cases = [
    { origin: '', 'sec-fetch-site': 'cross-site', traceparent: `00-${named[0]}-${hex(8)}-01` },
    { origin: 'https://elsewhere.example', traceparent: `00-${named[1]}-${hex(8)}-01` },
    { 'sec-fetch-site': 'same-origin', traceparent: `00-${named[2]}-${hex(8)}-01;x` },
  ]
  const isUserSpan = (span: CollectedSpan) => label(span) === 'gateway: GET /api/user'
  // Once the span of the page's own request has arrived, all earlier ones have arrived, too.
  const askAsOurPage = async () => {
    const own = hex(16)
    const headers = { 'sec-fetch-site': 'same-origin', traceparent: `00-${own}-${hex(8)}-01` }
    await client.raw('GET', getUser.path, { headers })
    await collector.trace(own, (spans) => spans.some(isUserSpan))
  }
  await askAsOurPage()
  const before = collector.spans.filter(isUserSpan).length
  for (const headers of cases) expect((await client.raw('GET', getUser.path, { headers })).status).toBe(200)
  await askAsOurPage()
  const made = collector.spans.filter(isUserSpan).slice(before)
  expect(made).toHaveLength(4)
  expect(made.slice(0, 3).map(({ parentSpanId }) => parentSpanId)).toEqual(['', '', ''])
  for (const traceId of named) expect(made.map((span) => span.traceId)).not.toContain(traceId)
})

it('keeps message contents, sealed or not, keys and personal data out of traces', async () => {
  const { client, user, username, phone, pin } = ann as Person
  const unlocked = await client.ok(verifyNumericPassword, { body: { numericPassword: pin } })
  if (!('keyShares' in unlocked)) throw new Error('It was only probed.')
  const plain = await send(ann as Person)
  // The services cannot tell whether it opens.
  const sealed = await send(ann as Person, { content: canary.repeat(6), sealed: { v: 1, from: 1, to: 1 } })
  for (const { traceId } of [plain, sealed])
    await collector.trace(traceId, (spans) => names(spans).includes('realtime: emit to sockets'))
  const cookies = new Map(client.cookies)
  // Its value is the same for everyone, and a single digit.
  cookies.delete(deviceMarkerCookie)
  for (const secret of [
    canary,
    pin,
    phone,
    username,
    user.id,
    user.userCode,
    conversationId,
    plain.message.id,
    sealed.message.id,
    unlocked.copyKey,
    ...unlocked.keyShares.map(({ share }) => share),
    ...cookies.values(),
  ])
    expect(collector.received).not.toContain(secret)
  const keys = new Set(collector.spans.flatMap(({ attributes }) => attributes.map(({ key }) => key)))
  expect([...keys].sort()).toEqual([
    'db.operation.batch.size',
    'http.request.method',
    'http.response.status_code',
    'http.route',
    'via',
  ])
})
