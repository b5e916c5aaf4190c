import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter'

export interface TestResult {
  suite: string
  /** The path of the file, relative to the root of the project. */
  file: string
  name: string
  status: 'passed' | 'failed' | 'skipped'
  seconds: number
  /** The message explains a failure; it is empty for any other status. */
  message: string
}

export type Tally = Record<TestResult['status'], number>

interface JestReport {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: {
      ancestorTitles: string[]
      title: string
      status: string
      duration?: number | null
      failureMessages?: string[]
    }[]
  }[]
}

const jestStatus = (status: string) => (status === 'passed' || status === 'failed' ? status : 'skipped')

/** Returns every test of a Jest `--json` report. A file that failed before its first test counts as one failed test. */
export function fromJest(suite: string, report: JestReport, root: string): TestResult[] {
  return report.testResults.flatMap((file): TestResult[] => {
    const path = relative(root, file.name)
    if (file.assertionResults.length === 0 && file.status === 'failed') {
      const name = `${basename(path)} did not run`
      return [{ suite, file: path, name, status: 'failed', seconds: 0, message: file.message }]
    }
    return file.assertionResults.map((test) => ({
      suite,
      file: path,
      name: [...test.ancestorTitles, test.title].join(' '),
      status: jestStatus(test.status),
      seconds: (test.duration ?? 0) / 1000,
      message: test.failureMessages?.join('\n') ?? '',
    }))
  })
}

const playwrightStatus = (status: string): TestResult['status'] =>
  status === 'expected' ? 'passed' : status === 'skipped' ? 'skipped' : 'failed'

/** Returns every test of a Playwright JSON report. A flaky test counts as failed. */
export function fromPlaywright(suite: string, report: Pick<JSONReport, 'suites'>): TestResult[] {
  const walk = (part: JSONReportSuite): TestResult[] => [
    ...(part.suites ?? []).flatMap(walk),
    ...part.specs.flatMap((spec) =>
      spec.tests.map(({ status, results }) => ({
        suite,
        file: `web/e2e/${spec.file}`,
        name: spec.title,
        status: playwrightStatus(status),
        seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
        message: results.flatMap(({ errors }) => errors.map(({ message }) => message)).join('\n'),
      })),
    ),
  ]
  return report.suites.flatMap(walk)
}

/** Returns all results of the reports in a folder. Each report has the name of its suite. */
export function readReports(folder: string, root: string): TestResult[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const report = JSON.parse(readFileSync(join(folder, file), 'utf8')) as object
      const suite = basename(file, '.json')
      if ('testResults' in report) return fromJest(suite, report as JestReport, root)
      return 'suites' in report ? fromPlaywright(suite, report as JSONReport) : []
    })
}

export function tally(results: readonly TestResult[]): Tally {
  const count = { passed: 0, failed: 0, skipped: 0 }
  for (const { status } of results) count[status] += 1
  return count
}

export const slowest = (results: readonly TestResult[], count: number): TestResult[] =>
  results.toSorted((left, right) => right.seconds - left.seconds).slice(0, count)

/** Returns true for a test of the product itself, and false for a test of the tools around it. */
export const testsTheProduct = ({ file }: TestResult): boolean =>
  /^(services|web|libs|testing\/system)\//.test(file)
