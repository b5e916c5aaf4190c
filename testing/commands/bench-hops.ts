import { everyService } from '@sumlock/deployment/every-service'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { startTraceCollector } from '../kit/trace-collector.ts'
import type { CollectedSpan } from '../kit/trace-collector.ts'
import { hopLines, hopsReport } from '../bench/hops-report.ts'
import { hopsOf } from '../bench/hops.ts'
import { reseat, seatPairs } from '../bench/seats.ts'
import { isAccepted, openSendLoad } from '../bench/send-load.ts'
import { isSmall, runBench } from '../bench/workbench.ts'
import { writeSection } from '../bench/write-section.ts'

// Sends with every request traced, and tells where the time goes.
const pairs = isSmall ? 5 : 50
const [seconds, warmUpSeconds] = isSmall ? [3, 1] : [20, 5]
const rate = { ratePerSecond: 100, csrf: 'token at hand' } as const

const collector = await startTraceCollector()
await runBench({
  env: everyService({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, TRACE_SAMPLE_RATIO: '1' }),
  prepare: (stack, progress) => {
    progress(`Registering ${pairs} pairs …`)
    return seatPairs(stack, pairs)
  },
  async measure({ stack, where, progress }, people) {
    const load = await openSendLoad(stack, await reseat(stack, people))
    progress(`${rate.ratePerSecond}/s for ${warmUpSeconds} s of warm-up and ${seconds} s that count …`)
    await load.run({ ...rate, seconds: warmUpSeconds })
    const before = new Set((await sends()).keys())
    const { flights } = await load.run({ ...rate, seconds })
    const counted = [...(await sends())].filter(([traceId]) => !before.has(traceId))
    load.close()
    const accepted = flights.filter(isAccepted)
    const run = {
      ...{ ...rate, seconds, warmUpSeconds, pairs, where },
      accepted: accepted.length,
      delivered: accepted.filter(({ seenAtMs }) => seenAtMs.length > 0).length,
      traces: counted.map(([, spans]) => hopsOf(spans)).filter((hops) => hops !== null),
    }
    process.stdout.write(`\nMilliseconds p50, p95, p99 of ${run.traces.length} messages\n${hopLines(run)}\n`)
    const isWhole = [run.accepted, run.delivered, run.traces.length].every(
      (count) => count === flights.length,
    )
    process.stdout.write(
      `\nOffered ${flights.length}, accepted ${run.accepted}, delivered ${run.delivered}, whole traces ${run.traces.length}.\n`,
    )
    if (!isSmall && isWhole) await writeSection('bench:hops', hopsReport(run))
    return isWhole
  },
})

/** The traces of sends by id, once no more spans arrive: services export every second. */
async function sends(): Promise<Map<string, CollectedSpan[]>> {
  let count = -1
  const isQuiet = () => {
    const same = collector.spans.length === count
    count = collector.spans.length
    return same
  }
  await waitUntil('the last spans', isQuiet, { everyMs: 3000 })
  const isSend = ({ service, name }: CollectedSpan) => service === 'gateway' && name === 'POST /api/messages'
  return new Map(
    [...Map.groupBy(collector.spans, ({ traceId }) => traceId)].filter(([, spans]) => spans.some(isSend)),
  )
}
