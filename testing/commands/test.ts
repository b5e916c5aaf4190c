import type { ChildProcess } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repoRoot } from '@sumlock/dev/config'
import { memoryFolder } from '../runner/memory-folder.ts'
import { runWithin } from '../runner/run-within.ts'
import { readReports, slowest, tally } from '../runner/test-reports.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { full: { type: 'boolean', default: false } },
})

interface Suite {
  name: string
  title: string
  command: readonly string[]
  env?: Record<string, string>
  /** A multiple of what a slow machine needs: it finds what hangs. */
  limitMinutes: number
  /** Judged by its exit code alone, because it reports no tests. */
  checksOnly?: boolean
}

const reports = join(repoRoot, 'artifacts/reports')
const jestOptions = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  '--disable-warning=TimeoutNegativeWarning',
]
const jest = (
  name: string,
  projects: readonly string[],
  extra: readonly string[] = [],
): readonly string[] => [
  ...['node', ...jestOptions, 'node_modules/jest/bin/jest.js', '--selectProjects', ...projects],
  ...['--json', `--outputFile=${join(reports, `${name}.json`)}`, ...extra],
]

const suites: readonly Suite[] = [
  {
    name: 'check',
    title: 'Types, lint, import rules, formatting',
    command: ['node', 'tools/check.ts'],
    limitMinutes: 15,
    checksOnly: true,
  },
  { name: 'unit', title: 'Unit tests', command: jest('unit', ['unit', 'web']), limitMinutes: 15 },
  {
    name: 'integration',
    title: 'Integration tests on real engines',
    command: jest('integration', ['integration'], ['--maxWorkers=1']),
    limitMinutes: 45,
  },
  {
    name: 'full',
    title: 'Full sizes, and what takes minutes',
    command: jest('full', ['full'], ['--maxWorkers=1']),
    limitMinutes: 45,
  },
  {
    name: 'by-hand',
    title: 'What needs a machine with processors to spare',
    command: jest('by-hand', ['by-hand'], ['--maxWorkers=1']),
    limitMinutes: 45,
  },
  {
    name: 'e2e',
    title: 'End-to-end tests in Chromium',
    command: ['node', 'testing/commands/e2e.ts'],
    limitMinutes: 20,
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'e2e.json') },
  },
  {
    name: 'coverage',
    title: 'Coverage of the specification',
    command: ['node', 'tools/coverage-table.ts', '--check'],
    limitMinutes: 5,
    checksOnly: true,
  },
]

// What has no size was run by `npm test` and would say the same again.
const names = values.full ? ['full'] : positionals
const everyTime = suites.filter(({ name }) => name !== 'full' && name !== 'by-hand')
const wanted = names.length > 0 ? suites.filter(({ name }) => names.includes(name)) : everyTime
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })
const memory = memoryFolder('sumlock-tests-')
process.once('exit', () => {
  if (memory !== null) rmSync(memory, { recursive: true, force: true })
})

// A Ctrl-C reaches the suite itself too, and it needs a moment to stop its engines: wait for it, then run no other.
let interrupted = false
let current: ChildProcess | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interrupted = true
    if (signal !== 'SIGINT') current?.kill(signal)
  })
}

const failedSuites: string[] = []
for (const suite of wanted) {
  process.stdout.write(`\n> ${suite.title}\n`)
  const startedAt = performance.now()
  const code = await runSuite(suite)
  process.stdout.write(`> ${suite.title}: ${code === 0 ? 'ok' : 'FAILED'} after ${seconds(startedAt)} s\n`)
  if (code !== 0) failedSuites.push(suite.name)
  if (interrupted) process.exit(130)
}

const results = readReports(reports)
const count = tally(results)
process.stdout.write('\nTen slowest tests:\n')
for (const { name, seconds: duration } of slowest(results, 10)) {
  process.stdout.write(`  ${duration.toFixed(2).padStart(7)} s  ${name}\n`)
}
const missing = wanted.filter(
  (suite) => !suite.checksOnly && !results.some((result) => result.suite === suite.name),
)
for (const suite of missing) process.stdout.write(`\n${suite.title} reported no test.\n`)
for (const name of failedSuites) process.stdout.write(`\nFailed: ${name}\n`)
// What failed or reported nothing without a failed test of its own still has to show in the one line people read.
const failedWithoutTest = wanted
  .filter((suite) => failedSuites.includes(suite.name) || missing.includes(suite))
  .filter(({ name }) => !results.some((result) => result.suite === name && result.status === 'failed'))
const failed = count.failed + failedWithoutTest.length
process.stdout.write(`\ntests: ${count.passed} passed, ${failed} failed, ${count.skipped} skipped\n`)
process.exit(failed > 0 || count.passed === 0 ? 1 : 0)

function seconds(startedAt: number): string {
  return ((performance.now() - startedAt) / 1000).toFixed(0)
}

async function runSuite({ name, command, env, limitMinutes }: Suite): Promise<number> {
  const sizes = values.full ? { SUMLOCK_TEST_SIZE: 'full' } : {}
  const folder = memory === null ? {} : { TMPDIR: memory }
  const { code, ended } = await runWithin({
    ...{ command, cwd: repoRoot, limitMs: limitMinutes * 60_000, report: join(reports, `${name}.json`) },
    env: { ...childEnv(), ...sizes, ...folder, ...env },
    started: (child) => (current = child),
  })
  if (ended) process.stderr.write(`\nThis was ended, because ${ended}.\n`)
  return code
}

/** Tests never write into the person's tree and never see the options of this process. */
function childEnv(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, ...rest } = process.env
  return rest
}
