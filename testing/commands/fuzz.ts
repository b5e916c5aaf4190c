import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openApiDocument } from '@sumlock/contracts/openapi/document'
import { inheritedEnvironment, repoRoot } from '@sumlock/dev/config'
import { startEngines } from '@sumlock/dev/engines/engines'
import type { Engines } from '@sumlock/dev/engines/engines'
import { onInterrupt } from '@sumlock/dev/processes/on-interrupt'
import { startServices } from '@sumlock/dev/product/services'
import type { Stack } from '@sumlock/dev/product/services'
import { withFixtures } from '../fuzz/fixtures.ts'
import { openFrontDesk } from '../fuzz/front-desk.ts'
import { inviteGuests } from '../fuzz/guests.ts'
import { schemathesisCommand } from '../fuzz/schemathesis-command.ts'
import { verdictOf } from '../fuzz/verdict.ts'
import type { FuzzReport } from '../fuzz/verdict.ts'
import { progress } from '@sumlock/dev/product/terminal'

// Throws what the contracts allow, and what they do not, at a stack of its own, and compares the answers with them.
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    examples: { type: 'string', default: '40' },
  },
})
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'positive_data_acceptance',
]
const dataDir = await mkdtemp(join(tmpdir(), 'sumlock-fuzz-'))
const reports = join(repoRoot, 'artifacts/fuzz')
let engines: Engines | undefined
let stack: Stack | undefined
onInterrupt(clean)
let isClean: boolean
try {
  const schemathesis = await schemathesisCommand(progress)
  engines = await startEngines({ dataDir, progress })
  const { addresses, secrets } = engines
  const common = { addresses, secrets, namespace: 'fuzz', mode: 'test', logLevel: 'warn' } as const
  stack = await startServices({ ...common, logDir: join(dataDir, 'logs'), progress })
  isClean = await fuzz(stack, schemathesis)
} finally {
  await clean()
}
process.exit(isClean ? 0 : 1)

async function fuzz(running: Stack, [program, ...prefix]: readonly [string, ...string[]]): Promise<boolean> {
  progress('Registering the people who make the calls …')
  const { guests, fixtures } = await inviteGuests(running)
  const desk = await openFrontDesk(running.gatewayUrl, guests)
  await rm(reports, { recursive: true, force: true })
  await mkdir(reports, { recursive: true })
  const document = withFixtures(openApiDocument(), fixtures)
  await writeFile(join(dataDir, 'openapi.json'), JSON.stringify(document))
  progress(`Seed ${values.seed} (again: npm run test:fuzz -- --seed ${values.seed})`)
  const exitCode = await runToEnd(program, [
    ...[...prefix, '--config-file', join(import.meta.dirname, 'fuzz/schemathesis.toml')],
    ...['run', join(dataDir, 'openapi.json'), '--url', desk.url, '--checks', checks.join()],
    ...['--phases', 'examples,coverage,fuzzing', '--mode', 'all', '--max-examples', values.examples],
    ...['--seed', values.seed, '--generation-database', 'none', '--continue-on-failure'],
    ...['--max-response-time', '2', '--request-timeout', '10', '--no-color'],
    ...['--report', 'json', '--report-json-path', join(reports, 'report.json')],
  ])
  desk.close()
  const report = JSON.parse(await readFile(join(reports, 'report.json'), 'utf8')) as FuzzReport
  const { table, faults } = verdictOf(desk.visits, report, exitCode)
  process.stdout.write(`\n${table}\n`)
  for (const fault of faults) process.stdout.write(`✗ ${fault}\n`)
  if (faults.length === 0) process.stdout.write('✓ Every answer keeps to the contracts.\n')
  else process.stdout.write(`Seed ${values.seed}\n`)
  return faults.length === 0
}

function runToEnd(program: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const env = { ...inheritedEnvironment(), PYTHONDONTWRITEBYTECODE: '1' }
    // It leaves folders of its own where it runs.
    const child = spawn(program, args, { cwd: dataDir, stdio: ['ignore', 'inherit', 'inherit'], env })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

async function clean(): Promise<void> {
  await stack?.stop()
  await engines?.stop()
  if (engines) await cp(join(dataDir, 'logs'), join(reports, 'logs'), { recursive: true })
  await rm(dataDir, { recursive: true, force: true })
}
