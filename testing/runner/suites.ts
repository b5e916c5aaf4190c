import { join } from 'node:path'
import { reaperImage } from '@sumlock/deployment/engine-versions'
import { repoRoot } from '@sumlock/dev/config'

export interface Suite {
  name: string
  title: string
  command: readonly string[]
  env?: Record<string, string>
  /** A multiple of what a slow machine needs: the limit finds what hangs. */
  limitMinutes: number
  /** Judged by its exit code alone, because it reports no tests. */
  checksOnly?: boolean
  /** Runs at low priority beside the suites after it. */
  beside?: boolean
  /** Uses the engines and the shared stack that the runner starts. */
  onEngines?: boolean
  /** Runs after all others of its part, and only when they passed. */
  last?: boolean
}

export const reportsFolder = join(repoRoot, 'artifacts/reports')
export const reportOf = (name: string): string => join(reportsFolder, `${name}.json`)

const jest = (name: string, projects: readonly string[], ...extra: readonly string[]): readonly string[] => [
  'node',
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  '--disable-warning=TimeoutNegativeWarning',
  'node_modules/jest/bin/jest.js',
  '--selectProjects',
  ...projects,
  '--json',
  `--outputFile=${reportOf(name)}`,
  '--reporters=default',
  '--reporters=<rootDir>/testing/runner/running-reporter.mjs',
  ...extra,
]

const browser = (name: string, project: 'phone' | 'desktop'): Suite => ({
  name,
  title: `End-to-end tests in Chromium, on a ${project}`,
  command: ['node', 'node_modules/@playwright/test/cli.js', 'test', '--config']
    .concat('web/e2e/playwright.config.ts')
    .concat('--project', project),
  limitMinutes: 7,
  env: { PLAYWRIGHT_JSON_OUTPUT_FILE: reportOf(name) },
  onEngines: true,
})

/** The suites of `npm test`. The limits of these and of `full` sum to less than the 90 minutes that CI has. */
const everyTime: readonly Suite[] = [
  {
    name: 'unit',
    title: 'Unit tests',
    command: jest('unit', ['unit', 'web'], '--maxWorkers=2'),
    limitMinutes: 5,
  },
  {
    name: 'check',
    title: 'Types, lint, import rules, formatting',
    command: ['node', 'tools/check.ts'],
    limitMinutes: 20,
    checksOnly: true,
    beside: true,
  },
  {
    name: 'integration',
    title: 'Integration tests on real engines',
    command: jest('integration', ['integration'], '--maxWorkers=2'),
    limitMinutes: 14,
    onEngines: true,
  },
  browser('e2e', 'phone'),
  {
    name: 'coverage',
    title: 'Coverage of the specification',
    command: ['node', 'tools/coverage-table.ts', '--check'],
    limitMinutes: 1,
    checksOnly: true,
    last: true,
  },
]

/** The suites of `npm run test:full`. */
const full: readonly Suite[] = [
  {
    name: 'k8s',
    title: 'Kubernetes manifests at a real API server, if they changed',
    command: ['node', 'ops/commands/k8s-check.ts', '--if-changed'],
    limitMinutes: 14,
    checksOnly: true,
  },
  {
    name: 'full',
    title: 'Full sizes, and what takes minutes',
    command: jest('full', ['full'], '--maxWorkers=1'),
    limitMinutes: 22,
    env: { SUMLOCK_TEST_SIZE: 'full' },
  },
  {
    name: 'tools',
    title: 'Tests of the tools',
    command: jest('tools', ['unit', 'integration'], '--maxWorkers=2').concat(
      '^(dev|ops|tools|load|testing/(?!system/))',
    ),
    limitMinutes: 6,
    onEngines: true,
  },
  browser('e2e-desktop', 'desktop'),
  {
    name: 'guards-changed',
    title: 'Guards whose code or test changed',
    command: ['node', 'testing/commands/guards.ts', '--changed', '--minutes', '3'],
    limitMinutes: 6,
    checksOnly: true,
  },
]

/** The suites of `npm run test:long`: by hand, before a release. */
const long: readonly Suite[] = [
  {
    name: 'long',
    title: 'Runs of ten minutes and more',
    command: jest('long', ['long'], '--maxWorkers=1'),
    limitMinutes: 60,
  },
  {
    name: 'redis-hangs',
    title: 'Ten minutes with a Redis that hangs',
    command: jest('redis-hangs', ['full'], '--maxWorkers=1', 'redis-hangs'),
    limitMinutes: 45,
    env: { SUMLOCK_TEST_SIZE: 'full', SUMLOCK_TEST_HANG_SECONDS: '600' },
  },
  {
    name: 'guards',
    title: 'All guards',
    command: ['node', 'testing/commands/guards.ts'],
    limitMinutes: 60,
    checksOnly: true,
  },
]

/** Suites that run only by name. */
const byName: readonly Suite[] = [
  {
    name: 'containers',
    title: 'Integration tests on engines in containers',
    command: jest('containers', ['integration'], '--maxWorkers=1'),
    limitMinutes: 60,
    env: { SUMLOCK_ENGINES_MODE: 'containers', RYUK_CONTAINER_IMAGE: reaperImage },
  },
]

/** The parts of each tier; a part with a failure is the last one to run. */
export const tiers = { test: [everyTime], full: [full], long: [long], ci: [everyTime, full] } as const
export type Tier = keyof typeof tiers

/** The suites with these names as one part, or all parts of the tier. */
export function partsOf(tier: Tier, names: readonly string[]): readonly (readonly Suite[])[] {
  if (names.length === 0) return tiers[tier]
  return [[...everyTime, ...full, ...long, ...byName].filter(({ name }) => names.includes(name))]
}

/**
 * Runs parts one after the other until one has a failure, and the suites of a part in their order: one that is `beside`
 * runs beside those after it, one that is `last` when all before it have passed.
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
