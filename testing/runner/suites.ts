import { join } from 'node:path'
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
  /** Runs beside the suite before it, on the processor time that one leaves. */
  beside?: boolean
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

const tools = '^(dev|ops|tools|load|testing/(?!system/))'

/** The suites of `npm test`. The limits of these and of `full` sum to less than the 90 minutes that CI has. */
const everyTime: readonly Suite[] = [
  {
    name: 'unit',
    title: 'Unit tests',
    command: jest('unit', ['unit', 'web'], '--maxWorkers=2'),
    limitMinutes: 5,
  },
  {
    name: 'integration',
    title: 'Integration tests on real engines',
    command: jest('integration', ['integration'], '--maxWorkers=2'),
    limitMinutes: 14,
  },
  {
    name: 'check',
    title: 'Types, lint, import rules, formatting',
    command: ['node', 'tools/check.ts'],
    limitMinutes: 14,
    checksOnly: true,
    beside: true,
  },
  {
    name: 'e2e',
    title: 'End-to-end tests in Chromium, on a phone',
    command: ['node', 'testing/commands/e2e.ts', '--project', 'phone', '--project', 'faults'],
    limitMinutes: 7,
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: reportOf('e2e') },
  },
  {
    name: 'coverage',
    title: 'Coverage of the specification',
    command: ['node', 'tools/coverage-table.ts', '--check'],
    limitMinutes: 1,
    checksOnly: true,
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
    command: jest('tools', ['unit', 'integration'], '--maxWorkers=2', tools),
    limitMinutes: 6,
  },
  {
    name: 'e2e-desktop',
    title: 'End-to-end tests in Chromium, on a desktop',
    command: ['node', 'testing/commands/e2e.ts', '--project', 'desktop'],
    limitMinutes: 7,
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: reportOf('e2e-desktop') },
  },
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

const tiers = { test: everyTime, full, long }
export type Tier = keyof typeof tiers

/** The suites of a tier, or those with these names from any. A suite that runs beside another needs that one. */
export function suitesOf(tier: Tier, names: readonly string[]): Suite[] {
  if (names.length === 0) return [...tiers[tier]]
  return Object.values(tiers).flatMap((suites) => suites.filter(({ name }) => names.includes(name)))
}

/** Groups the suites that run side by side. */
export function stagesOf(wanted: readonly Suite[]): Suite[][] {
  const stages: Suite[][] = []
  for (const suite of wanted) {
    const last = stages.at(-1)
    if (suite.beside && last) last.push(suite)
    else stages.push([suite])
  }
  return stages
}
