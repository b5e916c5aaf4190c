import { getUser } from '@sumlock/contracts/auth-routes'
import { listMessages, sendMessage } from '@sumlock/contracts/messaging-routes'
import { serviceNames } from '@sumlock/deployment/service-environment'
import type { Stack } from '@sumlock/dev/product/services'
import type { LiveConnection } from '@sumlock/sync/ports'
import { startTestStack } from '../kit/engines.ts'
import { clusterMetrics, expressions, metricsIn, selectorsIn } from '../kit/observability.ts'
import { befriend, unlockedPerson } from '../kit/people.ts'
import { scrape, sumOf } from '../kit/scrape.ts'
import type { Sample } from '../kit/scrape.ts'
import { connect, nextEvent, nextState } from '../kit/socket.ts'
import { eventually } from '../kit/wait.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startTestStack()
})
const opened: LiveConnection[] = []
afterAll(async () => {
  for (const live of opened) live.close()
  await stack.stop()
})

const scrapeAll = async (): Promise<Sample[]> =>
  (await Promise.all(serviceNames.map((name) => scrape(stack.service(name))))).flat()

it('counts a delivered message and a refused one in the metrics', async () => {
  const [ann, bob] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  const { id: conversationId } = await befriend(ann, bob)
  const live = connect(bob)
  opened.push(live)
  await nextState(live, ({ connected }) => connected)
  const before = await scrapeAll()
  const seen = nextEvent(live, ({ type }) => type === 'new_message')
  const send = () =>
    ann.client.call(sendMessage, { body: { conversationId, messageType: 'text', content: 'hello' } })
  expect([(await send()).status, (await send()).status]).toEqual([201, 402])
  await seen
  await eventually(async () => {
    const now = await scrapeAll()
    const grown = (name: string, labels = {}) => sumOf(now, name, labels) - sumOf(before, name, labels)
    const route = { service: 'gateway', route: sendMessage.path, method: 'POST' }
    expect({
      accepted: grown('http_request_duration_seconds_count', { ...route, status: '201' }),
      refused: grown('message_refusals_total', { code: 'daily_limit_reached' }),
      inserted: grown('group_commit_batch_messages_sum'),
      sockets: sumOf(now, 'sockets_open'),
      waiting: sumOf(now, 'outbox_pending_records', { of: 'messages' }),
    }).toEqual({ accepted: 1, refused: 1, inserted: 1, sockets: 1, waiting: 0 })
    // It is delivered a second time by its event when Redis took the hint but answered too late.
    expect(grown('message_delivery_seconds_count')).toBeGreaterThanOrEqual(1)
  })
  const now = await scrapeAll()
  expect(sumOf(now, 'message_delivery_seconds_sum')).toBeGreaterThan(0)
  expect(sumOf(now, 'session_cache_lookups_total', { result: 'hit' })).toBeGreaterThan(0)
  expect(sumOf(now, 'hash_queue_wait_seconds_count')).toBeGreaterThan(0)
})

it('exposes every metric and label that the alerts and the dashboard use', async () => {
  // Services ask the brokers for it every half minute.
  const samples = await eventually(
    async () => {
      const found = await scrapeAll()
      expect(found.map(({ name }) => name)).toContain('consumer_lag_records')
      return found
    },
    { timeoutMs: 45_000 },
  )
  const typed = await Promise.all(serviceNames.map((name) => typesOf(stack.service(name).internalUrl)))
  // Prometheus creates `up` itself and adds the labels job and instance to every metric.
  const known = new Set([...typed.flat(), ...samples.map(({ name }) => name), ...clusterMetrics, 'up'])
  const used = expressions()
  const unknown = used.flatMap(({ where, expr }) =>
    metricsIn(expr).flatMap((name) => (known.has(name) ? [] : [`${where}: ${name}`])),
  )
  expect(unknown).toEqual([])
  const labelsOf = (metric: string) =>
    new Set(samples.filter(({ name }) => name === metric).flatMap(({ labels }) => Object.keys(labels)))
  const noSuchLabel = used.flatMap(({ where, expr }) =>
    selectorsIn(expr)
      .filter(({ label }) => label !== 'job')
      .filter(({ metric }) => labelsOf(metric).size > 0)
      .flatMap(({ metric, label }) => (labelsOf(metric).has(label) ? [] : [`${where}: ${metric}{${label}}`])),
  )
  expect(noSuchLabel).toEqual([])
})

/** Names by their `# TYPE` lines: a counter with labels has no sample before the first. */
async function typesOf(internalUrl: string): Promise<string[]> {
  const text = await (await fetch(`${internalUrl}/metrics`)).text()
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
  )
}

it('gives metrics labels with few values and no personal data', async () => {
  const [ann, bob] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  const { id } = await befriend(ann, bob)
  await ann.client.ok(listMessages, { params: { id } })
  expect((await ann.client.raw('GET', `/api/conversations/${id}/nothing?phone=15550001122`)).status).toBe(404)
  const samples = await scrapeAll()
  const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)))
  const allowed = [
    'service',
    'route',
    'method',
    'status',
    'topic',
    'partition',
    'code',
    'event',
    'reason',
    'via',
    'result',
    'of',
    'work',
    'le',
    // Node itself sets this label.
    'type',
    'kind',
    'space',
    'version',
    'major',
    'minor',
    'patch',
  ]
  expect([...labels].filter((label) => !allowed.includes(label))).toEqual([])
  const values = new Set(
    samples.flatMap(({ labels: { le: _, version: _v, ...rest } }) => Object.values(rest)),
  )
  const looksLikeAPerson = /[0-9a-f]{8}-|@|\+?\d{6,}|[?=&]/
  expect([...values].filter((value) => looksLikeAPerson.test(value))).toEqual([])
  expect([...values]).toContain(listMessages.path)
})

it('does not expose metrics through the gateway', async () => {
  const { client } = await unlockedPerson(stack)
  expect((await client.call(getUser)).status).toBe(200)
  for (const path of [
    '/metrics',
    '/api/metrics',
    '/internal/metrics',
    '/metrics/',
    '//metrics',
    '/api/..%2fmetrics',
  ])
    expect(await (await client.raw('GET', path)).text()).not.toContain('http_request_duration_seconds')
  for (const name of serviceNames)
    expect((await fetch(`${stack.service(name).publicUrl}/metrics`)).status).toBe(404)
})
