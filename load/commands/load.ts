import { cpus, loadavg, release, totalmem } from 'node:os'
import { run } from '@sumlock/dev/processes/run'
import { isSupervised, readRunRecord } from '@sumlock/dev/processes/run-record'
import type { RunRecord } from '@sumlock/dev/processes/run-record'
import { dataFolder } from '@sumlock/dev/product/product-options'
import { failWith, progress } from '@sumlock/dev/product/terminal'
import { k6Binary, runK6 } from '../runner/k6.ts'
import { climb, isExact, ladderRates } from '../runner/ladder.ts'
import { readLoadOptions } from '../runner/options.ts'
import type { LoadOptions } from '../runner/options.ts'
import { report } from '../runner/report.ts'
import type { Step } from '../runner/report.ts'
import { peopleFile, seedPairs } from '../runner/seed.ts'
import { watchUsage } from '../runner/usage.ts'

/** An unlock lasts ten idle minutes, and the ladder may take longer. */
const freshForMs = 5 * 60_000

try {
  process.exitCode = (await load(readLoadOptions(process.argv.slice(2)))) ? 0 : 1
} catch (error) {
  failWith(error)
}

async function load({ scenario, script, gateway: named, pairs, settings, isSmall }: LoadOptions) {
  const record = named === undefined ? startedProduct() : null
  const gateway = named ?? (record?.url ?? '').replace('localhost', '127.0.0.1')
  const machine = describeMachine()
  const k6 = await k6Binary(progress)
  const file = peopleFile(gateway)
  let seededAt = -Infinity

  const take = async (title: string, more: Record<string, number> = {}): Promise<Step> => {
    if (performance.now() - seededAt > freshForMs) {
      await seedPairs({ gateway, count: pairs, file, admin: process.env['SUMLOCK_LOAD_ADMIN'], progress })
      seededAt = performance.now()
    }
    progress(`${title} …`)
    const usage = watch(record)
    const all = { ...settings, ...more, GATEWAY: gateway, PEOPLE: file, PAIRS: pairs }
    return { title, figures: await runK6(k6, script, all), usage: usage() }
  }

  const date = new Date().toISOString().slice(0, 10)
  const [version = 'k6'] = /k6 v\S+/.exec(await run(k6, ['--version'])) ?? []
  const where = `${date}, ${scenario} against ${record ? 'the started product' : gateway}. ${machine}. ${version}, ${pairs} pairs.`
  const print = (steps: readonly Step[]) => process.stdout.write(`\n${where}\n\n${report(steps)}\n`)

  if (scenario === 'ladder') {
    const rates = ladderRates[isSmall ? 'small' : 'full']
    const { steps, highest } = await climb(rates, (rate) => take(`${rate}/s`, { RATE: rate }))
    print(steps)
    progress(highest === null ? 'No step held.' : `The highest step that held: ${highest}/s.`)
    return highest !== null && steps.every(({ figures }) => isExact(figures))
  }
  const step = await take(scenario)
  print([step])
  return step.figures.held
}

function startedProduct(): RunRecord {
  const record = readRunRecord(dataFolder(undefined))
  if (record && isSupervised(record)) return record
  throw new Error(
    'The product is not running. Start it with SUMLOCK_RATE_LIMITS=off npm start, or name a gateway with --gateway URL.',
  )
}

function watch(record: RunRecord | null) {
  if (!record || process.platform !== 'linux') return () => []
  return watchUsage(record.parts)
}

function describeMachine(): string {
  const processors = cpus()
  const memory = (totalmem() / 2 ** 30).toFixed(1)
  return `${processors.length} × ${processors[0]?.model ?? 'unknown processor'}, ${memory} GiB, Linux ${release()}, load ${loadavg()[0]?.toFixed(1)}`
}
