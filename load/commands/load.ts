import { isSupervised, readRunRecord } from '@sumlock/dev/processes/run-record'
import type { RunRecord } from '@sumlock/dev/processes/run-record'
import { run } from '@sumlock/dev/processes/run'
import { machine } from '../../testing/bench/machine.ts'
import { watchUsage } from '../../testing/bench/process-usage.ts'
import { writeSection } from '../../testing/bench/write-section.ts'
import type { Figures } from '../runner/figures.ts'
import { k6Binary } from '../runner/k6.ts'
import { climb, highest, isExact } from '../runner/ladder.ts'
import { ladderRates, readLoadOptions } from '../runner/options.ts'
import type { LoadOptions } from '../runner/options.ts'
import { peopleFile } from '../runner/people-file.ts'
import { ladderReport, smokeReport } from '../runner/report.ts'
import { runK6 } from '../runner/run-k6.ts'
import { seedPairs } from '../runner/seed.ts'
import { dataFolder } from '@sumlock/dev/product/product-options'
import { failWith, progress } from '@sumlock/dev/product/terminal'

/** An unlock lasts ten idle minutes, and the ladder may take longer. */
const freshForMs = 5 * 60_000

try {
  process.exitCode = (await load(readLoadOptions(process.argv.slice(2)))) ? 0 : 1
} catch (error) {
  failWith(error)
}

async function load(options: LoadOptions): Promise<boolean> {
  const { scenario, plan, small } = options
  const { gateway, record } = target(options)
  const on = machine()
  const k6 = await k6Binary({ progress })
  const file = peopleFile(gateway)
  let seededAt = -Infinity
  const seed = async () => {
    if (performance.now() - seededAt < freshForMs) return
    const admin = process.env['SUMLOCK_LOAD_ADMIN']
    await seedPairs({ gateway, count: plan.pairs, file, admin, progress })
    seededAt = performance.now()
  }
  const settings = { ...plan.settings, GATEWAY: gateway, PEOPLE: file, PAIRS: plan.pairs }
  const where = async () => ({
    ...{ date: new Date().toISOString().slice(0, 10), machine: on },
    against: record ? 'the started product, one instance of each service' : gateway,
    k6: /k6 v\S+/.exec(await run(k6, ['--version']))?.[0] ?? 'k6',
  })

  if (scenario === 'ladder') {
    const steps = await climb(ladderRates[small ? 'small' : 'full'], async (rate) => {
      await seed()
      progress(`${rate}/s …`)
      const usage = watch(record)
      const figures = await runK6({ k6, scenario, settings: { ...settings, RATE: rate } })
      return { ratePerSecond: rate, figures, usage: usage() }
    })
    const best = highest(steps)
    const facts = { pairs: plan.pairs, secondsPerStep: plan.settings['SECONDS'] ?? 0, warmUpSeconds: 5 }
    if (!small) await writeSection('load:ladder', ladderReport(steps, facts, await where()))
    progress(best === null ? 'No step held.' : `The highest step that held: ${best}/s.`)
    return best !== null && steps.every(isExact)
  }

  await seed()
  const figures: Figures = await runK6({ k6, scenario, settings })
  if (scenario === 'smoke' && !small) await writeSection('load:smoke', smokeReport(figures, await where()))
  return figures.broken.length === 0
}

/** Where to: the address somebody named, or the product that runs from this checkout. */
function target({ gateway, data }: LoadOptions): { gateway: string; record: RunRecord | null } {
  if (gateway !== undefined) return { gateway, record: null }
  const record = readRunRecord(dataFolder(data))
  if (!record || !isSupervised(record)) {
    throw new Error(
      'The product is not running. Start it with SUMLOCK_RATE_LIMITS=off npm start, or name a gateway: npm run load -- <scenario> --gateway URL',
    )
  }
  return { gateway: record.url.replace('localhost', '127.0.0.1'), record }
}

function watch(record: RunRecord | null) {
  if (!record || process.platform !== 'linux') return () => []
  return watchUsage(record.parts.flatMap(({ name, pid }) => (pid === null ? [] : [{ name, pid }])))
}
