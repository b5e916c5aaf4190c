import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEngines } from '@sumlock/stack/engines'
import { startServices } from '@sumlock/stack/services'
import type { Stack } from '@sumlock/stack/services'
import { withDatabase } from '@sumlock/testing/database'
import { engineVersions, machine } from './bench/machine.ts'
import { measureSends } from './bench/measure-sends.ts'
import type { SendRun } from './bench/measure-sends.ts'
import { seatPairs } from './bench/pairs.ts'
import type { Seat } from './bench/pairs.ts'
import type { Measured } from './bench/process-usage.ts'
import { isClean, oneLine, sendReport } from './bench/send-report.ts'
import { writeSection } from './bench/write-section.ts'

const pairCount = 50
const [seconds, warmUpSeconds] = [30, 5]
const plan = [
  { ratePerSecond: 100, csrf: 'token at hand' },
  { ratePerSecond: 200, csrf: 'token at hand' },
  { ratePerSecond: 100, csrf: 'token fetched before each send' },
  { ratePerSecond: 200, csrf: 'token fetched before each send' },
] as const

const progress = (line: string) => process.stderr.write(`  ${line}\n`)
const dataDir = await mkdtemp(join(tmpdir(), 'sumlock-bench-'))
const where = machine()
const engines = await startEngines({ dataDir, progress })
let stack: Stack | undefined
const stop = async () => {
  await stack?.stop()
  await engines.stop()
  await rm(dataDir, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void stop().finally(() => process.exit(1)))

try {
  const { addresses, secrets } = engines
  const common = { addresses, secrets, namespace: 'bench', mode: 'test', logLevel: 'warn' } as const
  stack = await startServices({ ...common, logDir: join(dataDir, 'logs'), progress })
  progress(`Registering and connecting ${pairCount} pairs …`)
  const pairs = await seatPairs(stack, pairCount)
  const clean = await measureAll(stack, pairs)
  for (const { live } of pairs.flat()) live.close()
  process.exitCode = clean ? 0 : 1
} finally {
  await stop()
}
process.exit()

async function measureAll(running: Stack, pairs: readonly [Seat, Seat][]): Promise<boolean> {
  const measured = (children: readonly { name: string; pid: number | undefined }[]): Measured[] =>
    children.flatMap(({ name, pid }) => (pid === undefined ? [] : [{ name, pid }]))
  const engineProcesses = measured(engines.children).filter(({ name }) => name !== 'inbox')
  const processes = [
    ...measured(running.services),
    ...engineProcesses,
    { name: 'load generator', pid: process.pid },
  ]
  const runs: SendRun[] = []
  for (const step of plan) {
    progress(`${step.ratePerSecond}/s for ${seconds} s, ${step.csrf} …`)
    const run = await measureSends({ ...step, pairs, seconds, warmUpSeconds, processes })
    runs.push(run)
    process.stdout.write(`${oneLine(run)}\n`)
  }
  const stored = {
    expected: runs.reduce((sum, { accepted, warmUpAccepted }) => sum + accepted + warmUpAccepted, 0),
    found: await withDatabase(running, 'messaging', (database) =>
      database.collection('messages').countDocuments(),
    ),
  }
  const report = sendReport({
    ...{ runs, stored, pairs: pairs.length, warmUpSeconds },
    date: new Date().toISOString().slice(0, 10),
    machine: where,
    versions: await engineVersions(engineProcesses),
  })
  await writeSection('bench:send', report)
  process.stdout.write(
    `\nStored ${stored.found} of ${stored.expected} accepted. Written to docs/benchmarks.md.\n`,
  )
  return runs.every(isClean) && stored.found === stored.expected
}
