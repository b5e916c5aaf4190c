import { cpus, loadavg } from 'node:os'
import { isSupervised, readRunRecord } from '@sumlock/dev/processes/run-record'
import type { RunRecord } from '@sumlock/dev/processes/run-record'
import { dataFolder } from '@sumlock/dev/product/product-options'
import { failWith, progress } from '@sumlock/dev/product/terminal'
import { k6Binary, runK6 } from '../runner/k6.ts'
import { readLoadOptions } from '../runner/options.ts'
import type { LoadOptions } from '../runner/options.ts'
import { isExact, p99Of, report } from '../runner/report.ts'
import type { Step } from '../runner/report.ts'
import { peopleFile, seedPairs } from '../runner/seed.ts'
import { watchUsage } from '../runner/usage.ts'

/** An unlock lasts ten idle minutes, and the ladder may take longer. */
const freshForMs = 5 * 60_000

/** Sends per second of each step of the ladder, which ends where one send in a hundred takes longer than `tooSlowMs`. */
const rates = [100, 200, 300, 500, 750, 1000, 1250, 1500, 1750, 2000]
const tooSlowMs = 200

try {
  process.exitCode = (await load(readLoadOptions(process.argv.slice(2)))) ? 0 : 1
} catch (error) {
  failWith(error)
}

/** Runs a scenario and prints its figures. Returns whether everything held. */
async function load({ name, script, gateway: named, pairs, settings }: LoadOptions): Promise<boolean> {
  const record = named === undefined ? startedProduct() : null
  const gateway = named ?? (record?.url ?? '').replace('localhost', '127.0.0.1')
  const k6 = await k6Binary(progress)
  let seededAt = -Infinity

  const take = async (title: string, more: Record<string, number> = {}): Promise<Step> => {
    if (performance.now() - seededAt > freshForMs) {
      await seedPairs(gateway, pairs, progress)
      seededAt = performance.now()
    }
    progress(`${title} …`)
    const usage = watchUsage(record?.parts ?? [])
    const all = { ...settings, ...more, GATEWAY: gateway, PEOPLE: peopleFile(gateway), PAIRS: pairs }
    return { title, figures: await runK6(k6, script, all), usage: usage() }
  }

  const machine = `${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}`
  const where = `${new Date().toISOString().slice(0, 10)}, ${name} against ${record ? 'the started product' : gateway}. ${machine}. ${pairs} pairs.`

  const steps: Step[] = []
  let highest: number | null = null
  if (name !== 'ladder') steps.push(await take(name))
  for (const rate of name === 'ladder' ? rates : []) {
    const step = await take(`${rate}/s`, { RATE: rate })
    steps.push(step)
    if (!step.figures.held || !(p99Of(step.figures) < tooSlowMs)) break
    highest = rate
  }
  process.stdout.write(`\n${where}\n\n${report(steps)}\n`)
  if (name !== 'ladder') return steps.every(({ figures }) => figures.held)
  progress(highest === null ? 'No step held.' : `The highest step that held: ${highest}/s.`)
  return highest !== null && steps.every(({ figures }) => isExact(figures))
}

function startedProduct(): RunRecord {
  const record = readRunRecord(dataFolder(undefined))
  if (record && isSupervised(record)) return record
  throw new Error(
    'The product is not running. Start it with SUMLOCK_RATE_LIMITS=off npm start, or name a gateway with --gateway URL.',
  )
}
