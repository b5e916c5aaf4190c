import { join } from 'node:path'
import { reaperImage } from '@sumlock/deployment/engine-versions'
import { repoRoot } from '@sumlock/dev/config'
import { jestArguments } from './jest-command.ts'

export interface Suite {
  name: string
  title: string
  command: readonly string[]
  env?: Record<string, string>
  /** The limit is a multiple of the suite's time on a slow machine, because it only has to end a suite that hangs. */
  limitMinutes: number
  /** True for a command that reports no tests, so that its exit code decides. */
  checksOnly?: boolean
  /** True for a suite that runs at low priority while the next suites run. */
  beside?: boolean
  /** True for a suite that uses the engines and the shared stack, which the runner starts. */
  onEngines?: boolean
  /** True for a suite that runs after all others of its part, and only if they passed. */
  last?: boolean
}

export const reportsFolder = join(repoRoot, 'artifacts/reports')
export const reportOf = (name: string): string => join(reportsFolder, `${name}.json`)

type Options = Partial<Pick<Suite, 'env' | 'beside' | 'onEngines' | 'last'>>

/** Makes a suite of the tests in some of our Jest projects. */
function jest(
  [name, title]: readonly [string, string],
  limitMinutes: number,
  projects: readonly string[],
  jestOptions: readonly string[],
  options: Options = {},
): Suite {
  const reporters = ['--reporters=default', '--reporters=<rootDir>/testing/runner/running-reporter.mjs']
  const report = ['--json', `--outputFile=${reportOf(name)}`, ...reporters]
  const command = ['node', ...jestArguments(projects, ...report, ...jestOptions)]
  return { name, title, limitMinutes, command, ...options }
}

type Browsing = 'phone' | 'phone-full' | 'phone-long' | 'desktop' | 'bench'

function chromium(name: string, projects: readonly Browsing[], limitMinutes: number): Suite {
  const chosen = projects.map((project) => `--project=${project}`)
  const config = ['--config', 'web/e2e/playwright.config.ts', ...chosen]
  return {
    name,
    title: `End-to-end tests in Chromium, ${projects.join(' and ')}`,
    limitMinutes,
    command: ['node', 'node_modules/@playwright/test/cli.js', 'test', ...config],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: reportOf(name) },
    onEngines: true,
  }
}

/** Makes a suite of one of our commands, which is judged by its exit code alone. */
function check(
  [name, title]: readonly [string, string],
  limitMinutes: number,
  command: string,
  options: Options = {},
): Suite {
  return { name, title, limitMinutes, command: ['node', ...command.split(' ')], checksOnly: true, ...options }
}

/**
 * `npm test` runs these suites. The limits sum to more than CI allows; `.ci/run` ends a whole run in time and names what
 * runs then.
 */
const everyTime: readonly Suite[] = [
  check(['types', 'Types and documents'], 20, 'tools/check.ts types types-load types-web documents', {
    beside: true,
  }),
  jest(['unit', 'Unit tests'], 8, ['unit', 'web'], ['--maxWorkers=2']),
  jest(['integration', 'Integration tests on real engines'], 12, ['integration'], ['--maxWorkers=2'], {
    onEngines: true,
  }),
  chromium('e2e', ['phone'], 8),
  check(['coverage', 'Coverage of the specification'], 1, 'tools/coverage-table.ts --check', { last: true }),
]

const isTool = '^(dev|ops|tools|load|testing/(?!system/))'

const atFullSize = { env: { SUMLOCK_TEST_SIZE: 'full' } }

/** `npm run test:full` runs these suites. */
const full: readonly Suite[] = [
  check(['k8s', 'Kubernetes manifests, if they changed'], 2, 'ops/commands/k8s-check.ts --if-changed'),
  check(['alerts', 'Alert rules, if they changed'], 15, 'ops/commands/check-alerts.ts --if-changed', {
    beside: true,
  }),
  check(
    ['lint', 'Lint, formatting, import rules'],
    20,
    'tools/check.ts lint import-rules unused formatting',
    {
      beside: true,
    },
  ),
  jest(['full', 'Full sizes, and measured load'], 25, ['full'], ['--maxWorkers=1'], atFullSize),
  jest(
    ['faults', 'What takes minutes, and waits most of them'],
    30,
    ['faults'],
    ['--maxWorkers=2'],
    atFullSize,
  ),
  jest(['tools', 'Tests of the tools'], 4, ['unit', 'integration'], ['--maxWorkers=2', isTool], {
    onEngines: true,
  }),
  chromium('e2e-full', ['phone-full', 'desktop'], 28),
  check(['guards-changed', 'Guards that changed'], 4, 'testing/commands/guards.ts --changed --minutes 3'),
]

/** `npm run test:long` runs these suites; it is started by hand before a release. */
const long: readonly Suite[] = [
  jest(['long', 'Runs of ten minutes and more'], 60, ['long'], ['--maxWorkers=1']),
  jest(['redis-hangs', 'Redis hangs for ten minutes'], 45, ['full'], ['--maxWorkers=1', 'redis-hangs'], {
    env: { SUMLOCK_TEST_SIZE: 'full', SUMLOCK_TEST_HANG_SECONDS: '600' },
  }),
  jest(['floods', 'Floods of a minute each'], 20, ['faults'], ['--maxWorkers=1', 'system/floods'], {
    env: { SUMLOCK_TEST_SIZE: 'full', SUMLOCK_TEST_FLOOD_SECONDS: '60' },
  }),
  jest(
    ['free-and-taken', 'Free and taken addresses, 500 times each'],
    20,
    ['faults'],
    ['--maxWorkers=1', 'free-and-taken'],
    { env: { SUMLOCK_TEST_SIZE: 'full', SUMLOCK_TEST_TURNS: '500' } },
  ),
  jest(
    ['kills', 'Kills at 20 points of unsends and of expiries'],
    20,
    ['faults'],
    ['--maxWorkers=1', '(unsend|vanishing)-dies'],
    {
      env: { SUMLOCK_TEST_SIZE: 'full', SUMLOCK_TEST_KILLS: '20' },
    },
  ),
  jest(
    ['many-rows', 'Lasting work with 300,000 rows'],
    45,
    ['faults'],
    ['--maxWorkers=1', 'test/bounded-writes', 'test/migrations'],
    { env: { SUMLOCK_TEST_SIZE: 'full', SUMLOCK_TEST_MANY_ROWS: '300000' } },
  ),
  chromium('e2e-long', ['phone-long'], 45),
  jest(['e2e-firefox', 'The client in Firefox'], 20, ['firefox'], ['--maxWorkers=1'], { onEngines: true }),
  check(['compose', 'Compose, on images built here'], 60, 'ops/commands/try-images.ts'),
  check(['cluster', 'Both overlays in a cluster of its own'], 120, 'ops/commands/k8s-try.ts'),
  check(['guards', 'All guards'], 60, 'testing/commands/guards.ts'),
]

/** These suites run only if they are named. */
const byName: readonly Suite[] = [
  chromium('e2e-bench', ['bench'], 20),
  jest(['containers', 'Integration tests in containers'], 60, ['integration'], ['--maxWorkers=1'], {
    env: { SUMLOCK_ENGINES_MODE: 'containers', RYUK_CONTAINER_IMAGE: reaperImage },
  }),
]

/** Each tier consists of parts. After a part with a failure, no further part runs. */
export const tiers = { test: [everyTime], full: [full], long: [long] } as const
export type Tier = keyof typeof tiers

/** Returns the suites with these names as one part, or all parts of the tier if there are no names. */
export function partsOf(tier: Tier, names: readonly string[]): readonly (readonly Suite[])[] {
  if (names.length === 0) return tiers[tier]
  return [[...everyTime, ...full, ...long, ...byName].filter(({ name }) => names.includes(name))]
}

/**
 * Runs parts one after the other until one has a failure, and the suites of a part in their order. A suite with
 * `beside` runs in parallel with the suites after it. A suite with `last` runs only if all suites before it have
 * passed.
 */
export async function runParts<Run extends { code: number }>(
  parts: readonly (readonly Suite[])[],
  run: (suite: Suite) => Promise<Run>,
): Promise<Run[]> {
  const runs: Run[] = []
  const isRed = () => runs.some(({ code }) => code !== 0)
  for (const part of parts) {
    const beside: Promise<unknown>[] = []
    for (const suite of part) {
      if (suite.last) await Promise.all(beside)
      if (suite.last && isRed()) break
      const ended = run(suite).then((outcome) => runs.push(outcome))
      if (suite.beside) beside.push(ended)
      else await ended
    }
    await Promise.all(beside)
    if (isRed()) break
  }
  return runs
}
