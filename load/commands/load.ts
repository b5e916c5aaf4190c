import { cpus, loadavg } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { isSupervised, readRunRecord } from '@sumlock/dev/processes/run-record'
import type { RunRecord } from '@sumlock/dev/processes/run-record'
import { dataFolder } from '@sumlock/dev/product/product-options'
import { failWith, progress } from '@sumlock/dev/product/terminal'
import { k6Binary, runK6 } from '../runner/k6.ts'
import { readLoadOptions } from '../runner/options.ts'
import type { LoadOptions } from '../runner/options.ts'
import { productProcesses } from '../runner/product-processes.ts'
import {
  idleReport,
  isExact,
  isMeasured,
  p99Of,
  report,
  unmeasuredSteps,
  windowOf,
} from '../runner/report.ts'
import type { Step } from '../runner/report.ts'
import { peopleFile, seedPairs } from '../runner/seed.ts'
import { watchUsage } from '../runner/usage.ts'
import type { Usage } from '../runner/usage.ts'

/**
 * The people are unlocked again after this time, because an unlock ends after ten idle minutes and the ladder may take
 * longer.
 */
const freshForMs = 5 * 60_000

/**
 * The ladder takes these steps, in sends per second. It ends after a step that broke a threshold of its script, or in
 * which one send in a hundred took longer than `tooSlowMs`.
 */
const usualRates = [100, 200, 300, 500, 750, 1000, 1250, 1500, 1750, 2000]
const tooSlowMs = 200

/** The product is watched for this time before the first step of the ladder. */
const idleMs = 20_000

/**
 * The idle measurement begins after this time, when compilation and garbage collection after a start or a run have
 * finished.
 */
const settleMs = 40_000

try {
  process.exitCode = (await load(readLoadOptions(process.argv.slice(2)))) ? 0 : 1
} catch (error) {
  failWith(error)
}

/**
 * Runs a scenario and prints its figures. Returns whether all steps were measured and passed. A ladder only needs one
 * step that passed, and none that lost a message.
 */
async function load({ name, script, gateway: named, pairs, settings, rates }: LoadOptions): Promise<boolean> {
  const record = named === undefined ? startedProduct() : null
  const gateway = named ?? (record?.url ?? '').replace('localhost', '127.0.0.1')
  const k6 = await k6Binary(progress)
  let k6Pid: number | undefined
  const watch = () => record && watchUsage(productProcesses(record.parts), () => k6Pid)
  let seededAt = -Infinity

  const idle = name === 'ladder' && record ? await useWhenIdle(watch) : null
  const take = async (title: string, more: Record<string, number> = {}): Promise<Step> => {
    if (performance.now() - seededAt > freshForMs) {
      await seedPairs(gateway, pairs, progress, { withKeys: settings['SEALED'] === 1 })
      seededAt = performance.now()
    }
    progress(`${title} …`)
    const usage = watch()
    const all = { ...settings, ...more, GATEWAY: gateway, PEOPLE: peopleFile(gateway), PAIRS: pairs }
    const figures = await runK6(k6, script, all, (pid) => (k6Pid = pid))
    return { title, figures, usage: usage?.end(windowOf(figures)) ?? null }
  }

  const machine = `${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}`
  const contents = settings['LENGTH']
    ? `, ${settings['SEALED'] ? 'sealed ' : ''}contents of ${settings['LENGTH']} characters`
    : ''
  const where = `${new Date().toISOString().slice(0, 10)}, ${name} against ${record ? 'the started product' : gateway}. ${machine}. ${pairs} pairs${contents}.`

  const steps: Step[] = []
  let highest: number | null = null
  if (name !== 'ladder') steps.push(await take(name))
  for (const rate of name === 'ladder' ? (rates ?? usualRates) : []) {
    const step = await take(`${rate}/s`, { RATE: rate })
    steps.push(step)
    const held = step.figures.held && p99Of(step.figures) < tooSlowMs
    if (held && isMeasured(step.usage)) highest = rate
    // Steps that were named by `--rates` are taken even after a failed one.
    if (!held && !rates) break
  }
  process.stdout.write(`\n${where}\n\n${idle ? `${idleReport(idle)}\n\n` : ''}${report(steps)}\n`)
  const unmeasured = unmeasuredSteps([{ title: 'idle', usage: idle }, ...steps])
  if (unmeasured) progress(unmeasured)
  if (name !== 'ladder') return !unmeasured && steps.every(({ figures }) => figures.held)
  progress(
    highest === null ? 'No measured step passed.' : `The highest measured step that passed: ${highest}/s.`,
  )
  return !unmeasured && highest !== null && steps.every(({ figures }) => isExact(figures))
}

async function useWhenIdle(watch: () => ReturnType<typeof watchUsage>): Promise<Usage | null> {
  progress(`Waiting for ${settleMs / 1000} s, then watching the idle product for ${idleMs / 1000} s …`)
  await wait(settleMs)
  const usage = watch()
  await wait(idleMs)
  return usage?.end() ?? null
}

function startedProduct(): RunRecord {
  const record = readRunRecord(dataFolder(undefined))
  if (record && isSupervised(record)) return record
  throw new Error(
    'The product is not running. Start it with SUMLOCK_RATE_LIMITS=off npm start, or name a gateway with --gateway URL.',
  )
}
