import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { allRoutes } from '@sumlock/contracts/all-routes'
import { repoRoot } from '@sumlock/dev/config'
import { startEngines } from '@sumlock/dev/engines/engines'
import type { Engines } from '@sumlock/dev/engines/engines'
import { onInterrupt } from '@sumlock/dev/processes/on-interrupt'
import { startServices } from '@sumlock/dev/product/services'
import type { Stack } from '@sumlock/dev/product/services'
import { progress } from '@sumlock/dev/product/terminal'
import { createActors, serveActors } from '../fuzz/actors.ts'
import { schemathesisCommand } from '../fuzz/schemathesis-command.ts'
import { faultsOf } from '../fuzz/verdict.ts'
import type { Answers, FuzzReport } from '../fuzz/verdict.ts'

// Runs schemathesis with valid and invalid requests against its own stack, and compares the answers with docs/openapi.json.
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
const fuzzDir = join(import.meta.dirname, '../fuzz')
const dataDir = await mkdtemp(join(tmpdir(), 'sumlock-fuzz-'))
const reports = join(repoRoot, 'artifacts/fuzz')
let engines: Engines | undefined
let stack: Stack | undefined
onInterrupt(clean)
let hasFaults: boolean
try {
  const command = await schemathesisCommand(progress)
  engines = await startEngines({ dataDir, progress })
  stack = await startServices({
    addresses: engines.addresses,
    secrets: engines.secrets,
    namespace: 'fuzz',
    mode: 'test',
    logLevel: 'warn',
    logDir: join(dataDir, 'logs'),
    progress,
  })
  hasFaults = await fuzz(stack, command)
} finally {
  await clean()
}
process.exit(hasFaults ? 1 : 0)

async function fuzz(running: Stack, command: readonly [string, ...string[]]): Promise<boolean> {
  progress('Registering the people who make the calls …')
  const actors = await serveActors(await createActors(running))
  const { port } = actors.address() as AddressInfo
  await rm(reports, { recursive: true, force: true })
  await mkdir(reports, { recursive: true })
  progress(`Seed ${values.seed} (again: npm run test:fuzz -- --seed ${values.seed})`)
  const answersFile = join(reports, 'answers.json')
  const exitCode = await runSchemathesis(command, running.gatewayUrl, {
    FUZZ_ACTORS_URL: `http://127.0.0.1:${port}`,
    FUZZ_ANSWERS_FILE: answersFile,
    SCHEMATHESIS_HOOKS: join(fuzzDir, 'hooks.py'),
    PYTHONDONTWRITEBYTECODE: '1',
  })
  actors.close()
  const report = JSON.parse(await readFile(join(reports, 'report.json'), 'utf8')) as FuzzReport
  const answers = JSON.parse(await readFile(answersFile, 'utf8')) as Answers
  console.table(answers)
  const faults = faultsOf(Object.keys(allRoutes), answers, report, exitCode)
  for (const fault of faults) process.stdout.write(`✗ ${fault}\n`)
  process.stdout.write(
    faults.length === 0 ? '✓ Every answer conforms to the contracts.\n' : `Seed ${values.seed}\n`,
  )
  return faults.length > 0
}

function runSchemathesis(
  [program, ...prefix]: readonly [string, ...string[]],
  url: string,
  hookSettings: Record<string, string>,
): Promise<number> {
  const options = {
    url,
    checks: checks.join(),
    phases: 'examples,coverage,fuzzing',
    mode: 'all',
    workers: '1',
    'max-examples': values.examples,
    seed: values.seed,
    'generation-database': 'none',
    'max-response-time': '2',
    'request-timeout': '10',
    report: 'json',
    'report-json-path': join(reports, 'report.json'),
  }
  const args = [
    ...prefix,
    '--config-file',
    join(fuzzDir, 'schemathesis.toml'),
    'run',
    join(repoRoot, 'docs/openapi.json'),
    '--continue-on-failure',
    '--no-color',
    ...Object.entries(options).map(([name, value]) => `--${name}=${value}`),
  ]
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...hookSettings }
    // Schemathesis leaves folders in its working directory.
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
