import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import type { Suite } from './suites.ts'
import { slowest, tally, testsTheProduct } from './test-reports.ts'
import type { Tally, TestResult } from './test-reports.ts'

/** The end of one suite. */
export interface SuiteRun {
  suite: Suite
  code: number
  /** File with everything the suite printed. */
  log: string
}

/** The result of a run of suites; `.ci/run` reads it as JSON. */
export interface Summary extends Tally {
  /** Tests of the product, and of the tools around it. */
  product: Tally
  tools: Tally
  /** `message` is what the test or, for a suite that failed without a failed test, its log says. */
  failures: { suite: string; name: string; message: string }[]
  slowest: { name: string; seconds: number }[]
}

export function summarize(results: readonly TestResult[], runs: readonly SuiteRun[]): Summary {
  const failedTests = results
    .filter(({ status }) => status === 'failed')
    .map(({ suite, file, name, message }) => ({ suite, name: `${file}: ${name}`, message }))
  const failedSuites = runs.flatMap(({ suite: { name, checksOnly, title }, code, log }) => {
    const own = results.filter((result) => result.suite === name)
    const isSilent = !checksOnly && own.length === 0
    const isExplained = own.some(({ status }) => status === 'failed')
    if ((code === 0 && !isSilent) || isExplained) return []
    const verdict = isSilent ? 'reported no test' : 'failed'
    return [{ suite: name, name: `${title}: ${verdict}`, message: endOf(log) }]
  })
  const count = tally(results)
  return {
    passed: count.passed,
    failed: count.failed + failedSuites.length,
    skipped: count.skipped,
    product: tally(results.filter(testsTheProduct)),
    tools: tally(results.filter((result) => !testsTheProduct(result))),
    failures: [...failedTests, ...failedSuites].map((failure) => ({
      ...failure,
      message: stripVTControlCharacters(failure.message),
    })),
    slowest: slowest(results, 10).map(({ name, seconds }) => ({ name, seconds })),
  }
}

/** The lines that people read after a run; the last one has the counts. */
export function closingLines(summary: Summary): string[] {
  const { product, tools, passed, failed, skipped } = summary
  return [
    '',
    'Ten slowest tests:',
    ...summary.slowest.map(({ name, seconds }) => `  ${seconds.toFixed(2).padStart(7)} s  ${name}`),
    '',
    ...summary.failures.map(({ suite, name }) => `Failed in ${suite}: ${name}`),
    `Of the product: ${product.passed}. Of the tools around it: ${tools.passed}.`,
    `tests: ${passed} passed, ${failed} failed, ${skipped} skipped`,
  ]
}

function endOf(log: string): string {
  try {
    return readFileSync(log, 'utf8').trimEnd().split('\n').slice(-60).join('\n')
  } catch {
    return ''
  }
}
