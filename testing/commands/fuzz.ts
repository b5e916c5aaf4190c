import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { allRoutes } from '@sumlock/contracts/all-routes'
import { repoRoot } from '@sumlock/dev/config'
import { onInterrupt } from '@sumlock/dev/processes/on-interrupt'
import { progress } from '@sumlock/dev/product/terminal'
import { serveActors } from '../fuzz/actors.ts'
import { schemathesisCommand } from '../fuzz/schemathesis-command.ts'
import { faultsOf } from '../fuzz/verdict.ts'
import type { Answers, FuzzReport } from '../fuzz/verdict.ts'
import { startTestStack } from '../kit/engines.ts'
import { startRunningEngines, stopRunningEngines } from '../kit/running-engines.ts'

// Runs schemathesis with valid and invalid requests against a new stack, and compares the answers with
// docs/openapi.json.
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
const reports = join(repoRoot, 'artifacts/fuzz')
const answersFile = join(reports, 'answers.json')
await rm(reports, { recursive: true, force: true })
await mkdir(reports, { recursive: true })

const [program, ...prefix] = await schemathesisCommand(progress)
let stop: () => Promise<void> = stopRunningEngines
onInterrupt(() => stop())
try {
  await startRunningEngines()
  const stack = await startTestStack({ timeouts: 'default' })
  stop = () => stack.stop().then(stopRunningEngines)
  progress('Registering the people who make the calls …')
  const actorsUrl = await serveActors(stack)
  progress(`Seed ${values.seed} (again: npm run test:fuzz -- --seed ${values.seed})`)
  const exitCode = await runSchemathesis(stack.gatewayUrl, actorsUrl)
  const report = JSON.parse(await readFile(join(reports, 'report.json'), 'utf8')) as FuzzReport
  const answers = JSON.parse(await readFile(answersFile, 'utf8')) as Answers
  console.table(answers)
  const faults = faultsOf(Object.keys(allRoutes), answers, report, exitCode)
  for (const fault of faults) process.stdout.write(`✗ ${fault}\n`)
  process.stdout.write(faults.length === 0 ? '✓ Every answer conforms.\n' : `Seed ${values.seed}\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  await stop()
}
process.exit()

async function runSchemathesis(url: string, actorsUrl: string): Promise<number> {
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
  const args = ['--config-file', join(fuzzDir, 'schemathesis.toml'), 'run']
    .concat(join(repoRoot, 'docs/openapi.json'), '--continue-on-failure', '--no-color')
    .concat(Object.entries(options).map(([name, value]) => `--${name}=${value}`))
  const env = {
    ...process.env,
    FUZZ_ACTORS_URL: actorsUrl,
    FUZZ_ANSWERS_FILE: answersFile,
    SCHEMATHESIS_HOOKS: join(fuzzDir, 'hooks.py'),
    PYTHONDONTWRITEBYTECODE: '1',
  }
  // Schemathesis leaves folders in its working directory, so it runs in the folder of the reports.
  const stdio = ['ignore', 'inherit', 'inherit'] as const
  const child = spawn(program, [...prefix, ...args], { cwd: reports, stdio: [...stdio], env })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
