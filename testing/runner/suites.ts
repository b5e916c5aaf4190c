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

/** All suites in their order. The limits of what CI runs sum to less than its 90 minutes. */
export const suites: readonly Suite[] = [
  { name: 'unit', title: 'Unit tests', command: jest('unit', ['unit', 'web']), limitMinutes: 6 },
  {
    name: 'integration',
    title: 'Integration tests on real engines',
    command: jest('integration', ['integration'], '--maxWorkers=1'),
    limitMinutes: 20,
  },
  {
    name: 'check',
    title: 'Types, lint, import rules, formatting',
    command: ['node', 'tools/check.ts'],
    limitMinutes: 15,
    checksOnly: true,
    beside: true,
  },
  {
    name: 'e2e',
    title: 'End-to-end tests in Chromium',
    command: ['node', 'testing/commands/e2e.ts'],
    limitMinutes: 12,
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: reportOf('e2e') },
  },
  {
    name: 'coverage',
    title: 'Coverage of the specification',
    command: ['node', 'tools/coverage-table.ts', '--check'],
    limitMinutes: 2,
    checksOnly: true,
  },
  {
    name: 'full',
    title: 'Full sizes, and what takes minutes',
    command: jest('full', ['full'], '--maxWorkers=1'),
    limitMinutes: 35,
    env: { SUMLOCK_TEST_SIZE: 'full' },
  },
  {
    name: 'by-hand',
    title: 'What needs a machine with processors to spare',
    command: jest('by-hand', ['by-hand'], '--maxWorkers=1'),
    limitMinutes: 45,
  },
]

const byRequestOnly = ['full', 'by-hand']

/** The suites of a run: the named ones, or those of `npm test`. A suite that runs beside another needs that one. */
export function suitesOf(names: readonly string[]): Suite[] {
  if (names.length === 0) return suites.filter(({ name }) => !byRequestOnly.includes(name))
  return suites.filter(({ name }) => names.includes(name))
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
