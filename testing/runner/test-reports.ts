import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export interface TestResult {
  suite: string
  name: string
  status: 'passed' | 'failed' | 'skipped'
  seconds: number
}

interface JestReport {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; duration?: number | null }[]
  }[]
}

interface PlaywrightSuite {
  title: string
  suites?: PlaywrightSuite[]
  specs?: { title: string; tests: { status: string; results: { duration: number }[] }[] }[]
}

const jestStatus = (status: string) => (status === 'passed' || status === 'failed' ? status : 'skipped')

/** Every test of a jest `--json` report; a file that failed before its first test counts as one failed test. */
export function fromJest(suite: string, report: JestReport): TestResult[] {
  return report.testResults.flatMap((file) => {
    if (file.assertionResults.length === 0 && file.status === 'failed') {
      return [{ suite, name: `${basename(file.name)} did not run`, status: 'failed' as const, seconds: 0 }]
    }
    return file.assertionResults.map((test) => ({
      suite,
      name: test.fullName,
      status: jestStatus(test.status),
      seconds: (test.duration ?? 0) / 1000,
    }))
  })
}

/** Every test of a Playwright json report. */
export function fromPlaywright(suite: string, report: { suites: PlaywrightSuite[] }): TestResult[] {
  const status = (word: string): TestResult['status'] =>
    word === 'expected' ? 'passed' : word === 'skipped' ? 'skipped' : 'failed'
  const walk = (part: PlaywrightSuite): TestResult[] => [
    ...(part.suites ?? []).flatMap(walk),
    ...(part.specs ?? []).flatMap((spec) =>
      spec.tests.map((test) => ({
        suite,
        name: spec.title,
        status: status(test.status),
        seconds: test.results.reduce((sum, result) => sum + result.duration, 0) / 1000,
      })),
    ),
  ]
  return report.suites.flatMap(walk)
}

/** All results of the reports in a folder; a report's file name is its suite. */
export function readReports(folder: string): TestResult[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const report = JSON.parse(readFileSync(join(folder, file), 'utf8')) as object
      const suite = basename(file, '.json')
      if ('testResults' in report) return fromJest(suite, report as JestReport)
      return 'suites' in report ? fromPlaywright(suite, report as { suites: PlaywrightSuite[] }) : []
    })
}

export function tally(results: readonly TestResult[]): Record<TestResult['status'], number> {
  const count = { passed: 0, failed: 0, skipped: 0 }
  for (const { status } of results) count[status] += 1
  return count
}

export const slowest = (results: readonly TestResult[], count: number): TestResult[] =>
  results.toSorted((left, right) => right.seconds - left.seconds).slice(0, count)
