import { join, relative } from 'node:path'

/** One test, or one step of one, as a report shows it. */
export interface Run {
  /** Relative to the root of the project. */
  readonly file: string
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
}

interface JestReport {
  testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[]
}

interface PlaywrightReport {
  config: { rootDir: string }
  suites: Suite[]
}
interface Suite {
  title: string
  file: string
  suites?: Suite[]
  specs?: { title: string; file: string; tests: { results: Result[] }[] }[]
}
interface Result {
  status: string
  steps?: Step[]
}
interface Step {
  title: string
  error?: unknown
  steps?: Step[]
}

/** The runs of a report of Jest (`--json`) or Playwright (`json` reporter); none for any other JSON. */
export function runsIn(report: unknown, root: string): Run[] {
  if (hasArray<JestReport>(report, 'testResults')) return jestRuns(report, root)
  if (hasArray<PlaywrightReport>(report, 'suites')) {
    const { rootDir } = report.config
    // The outermost suite is the file; its title belongs to no test name.
    return report.suites.flatMap((suite) =>
      suiteRuns(suite, [], (file) => relative(root, join(rootDir, file))),
    )
  }
  return []
}

const hasArray = <T extends object>(value: unknown, key: keyof T & string): value is T =>
  typeof value === 'object' && value !== null && Array.isArray((value as Record<string, unknown>)[key])

const jestRuns = (report: JestReport, root: string): Run[] =>
  report.testResults.flatMap(({ name: path, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({
      file: relative(root, path),
      name: fullName,
      outcome: outcomeOf(status),
    })),
  )

function suiteRuns(suite: Suite, titles: readonly string[], place: (file: string) => string): Run[] {
  const specs = (suite.specs ?? []).flatMap((spec) =>
    spec.tests.flatMap(({ results }): Run[] => {
      // Several results are tries of one test: one that needed a second try has shown nothing.
      const tries = results.map(({ status }) => outcomeOf(status))
      const outcome = tries.includes('failed') ? 'failed' : (tries.at(-1) ?? 'skipped')
      const file = place(spec.file)
      const steps = results.flatMap((result) => stepRuns(result.steps ?? [], file))
      return [{ file, name: [...titles, spec.title].join(' '), outcome }, ...steps]
    }),
  )
  const nested = (suite.suites ?? []).flatMap((inner) => suiteRuns(inner, [...titles, inner.title], place))
  return [...specs, ...nested]
}

const stepRuns = (steps: readonly Step[], file: string): Run[] =>
  steps.flatMap((step) => [
    { file, name: step.title, outcome: step.error === undefined ? 'passed' : 'failed' },
    ...stepRuns(step.steps ?? [], file),
  ])

function outcomeOf(status: string): Run['outcome'] {
  if (status === 'passed') return 'passed'
  return ['skipped', 'pending', 'todo', 'disabled'].includes(status) ? 'skipped' : 'failed'
}
