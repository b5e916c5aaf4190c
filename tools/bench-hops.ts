import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import { startEngines } from '@sumlock/stack/engines'
import { everyService } from '@sumlock/stack/every-service'
import { startServices } from '@sumlock/stack/services'
import type { Stack } from '@sumlock/stack/services'
import { waitUntil } from '@sumlock/stack/wait-until'
import { adminPerson, befriend, makePremium, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { connect, nextState } from '@sumlock/testing/socket'
import { startTraceCollector } from '@sumlock/testing/trace-collector'
import { hopLines, hopsReport } from './bench/hops-report.ts'
import type { HopsRun } from './bench/hops-report.ts'
import { hopsOf } from './bench/hops.ts'
import { engineVersions, machine } from './bench/machine.ts'
import { openModel } from './bench/open-model.ts'
import { writeSection } from './bench/write-section.ts'

// Sends with every request traced, and tells where the time goes. `-- --small`: a trial that writes no document.
const isSmall = process.argv.includes('--small')
const [pairCount, seconds, warmUpSeconds] = isSmall ? [3, 3, 1] : [50, 20, 5]
const ratePerSecond = 100

const progress = (line: string) => process.stderr.write(`  ${line}\n`)
const dataDir = await mkdtemp(join(tmpdir(), 'sumlock-bench-'))
const before = machine()
const collector = await startTraceCollector()
const engines = await startEngines({ dataDir, progress })
let stack: Stack | undefined
const stop = async () => {
  await stack?.stop()
  await engines.stop()
  await collector.close()
  await rm(dataDir, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void stop().finally(() => process.exit(1)))

try {
  const { addresses, secrets } = engines
  const env = everyService({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, TRACE_SAMPLE_RATIO: '1' })
  stack = await startServices({
    ...({ addresses, secrets, namespace: 'bench', mode: 'test', logLevel: 'warn' } as const),
    ...{ logDir: join(dataDir, 'logs'), env, progress },
  })
  const run = await measure(stack)
  process.stdout.write(`\nMilliseconds p50, p95, p99 over ${run.traces.length} messages\n${hopLines(run)}\n`)
  const isWhole = run.traces.length === run.accepted && run.delivered === run.accepted
  if (!isWhole)
    process.stdout.write(
      `\nNot whole: accepted ${run.accepted}, delivered ${run.delivered}, whole traces ${run.traces.length}.\n`,
    )
  if (!isSmall && isWhole) await writeSection('bench:hops', hopsReport(run))
  process.exitCode = isWhole ? 0 : 1
} finally {
  await stop()
}
process.exit()

interface Pair {
  sender: Person
  conversationId: string
}

async function measure(running: Stack): Promise<HopsRun> {
  progress(`Registering and connecting ${pairCount} pairs …`)
  const admin = await adminPerson(running)
  const delivered = new Set<string>()
  const pairs: Pair[] = []
  const lives = []
  while (pairs.length < pairCount) {
    const [sender, other] = [await unlockedPerson(running), await unlockedPerson(running)]
    await makePremium(admin, sender)
    const { id: conversationId } = await befriend(sender, other)
    sender.client.keptToken = await sender.client.csrfToken()
    const live = connect(other)
    await nextState(live, ({ connected }) => connected)
    live.subscribe({
      onEvent: (event) => void (event.type === 'new_message' && delivered.add(event.data.id)),
    })
    lives.push(live)
    pairs.push({ sender, conversationId })
  }
  progress(`${ratePerSecond}/s for ${warmUpSeconds} s of warm-up and ${seconds} s that count …`)
  await drive(pairs, warmUpSeconds)
  const traceIdsBefore = new Set((await settled()).keys())
  const accepted = await drive(pairs, seconds)
  await waitUntil('all messages to arrive', () => accepted.every((id) => delivered.has(id))).catch(
    () => undefined,
  )
  const traces = [...(await settled())]
    .filter(([id]) => !traceIdsBefore.has(id))
    .map(([, spans]) => hopsOf(spans))
  for (const live of lives) live.close()
  const children = engines.children.filter(({ name }) => name !== 'inbox')
  const versions = await engineVersions(
    children.flatMap(({ name, pid }) => (pid === undefined ? [] : [{ name, pid }])),
  )
  return {
    ...{ ratePerSecond, seconds, warmUpSeconds, pairs: pairCount, accepted: accepted.length },
    delivered: accepted.filter((id) => delivered.has(id)).length,
    traces: traces.filter((trace) => trace !== null),
    where: `${new Date().toISOString().slice(0, 10)}. ${before}. ${versions}. One instance of each service.`,
  }
}

/** Resolves with the ids of what was answered with 201. */
async function drive(pairs: readonly Pair[], forSeconds: number): Promise<string[]> {
  const accepted: string[] = []
  const underWay: Promise<void>[] = []
  let turn = 0
  await openModel({ ratePerSecond, seconds: forSeconds }, () => {
    const { sender, conversationId } = pairs[turn++ % pairs.length] as Pair
    const body = {
      conversationId,
      messageType: 'text',
      content: 'a message of usual length, more or less',
    } as const
    underWay.push(
      sender.client.call(sendMessage, { body }).then(
        (answer) => void (answer.status === 201 && accepted.push(answer.body.id)),
        () => undefined,
      ),
    )
  })
  await Promise.all(underWay)
  return accepted
}

/** The traces of sends by id, once no more spans arrive: services export every second. */
async function settled(): Promise<Map<string, typeof collector.spans>> {
  let count = -1
  const isQuiet = () => {
    const same = collector.spans.length === count
    count = collector.spans.length
    return same
  }
  await waitUntil('the last spans', isQuiet, { everyMs: 3000 })
  const byTrace = Map.groupBy(collector.spans, ({ traceId }) => traceId)
  return new Map(
    [...byTrace].filter(([, spans]) =>
      spans.some(({ service, name }) => service === 'gateway' && name === 'POST /api/messages'),
    ),
  )
}
