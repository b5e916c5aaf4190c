import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import type { Suite } from './suites.ts'
import { slowest, tally, testsTheProduct } from './test-reports.ts'
import type { TestResult } from './test-reports.ts'

/** The outcome of one suite; a code of 0 means that it passed. */
export interface SuiteRun {
  suite: Suite
  code: number
  /** This file contains everything that the suite printed. */
  log: string
}

/**
 * A failure is a test that failed, or a suite that failed without a failed test. In the second case, `message` is the
 * end of the suite's log.
 */
interface Failure {
  suite: string
  name: string
  message: string
}

function failuresOf(results: readonly TestResult[], runs: readonly SuiteRun[]): Failure[] {
  const failedTests = results
    .filter(({ status }) => status === 'failed')
    .map(({ suite, file, name, message }) => ({ suite, name: `${file}: ${name}`, message }))
  const failedSuites = runs.flatMap(({ suite: { name, checksOnly, title }, code, log }) => {
    const own = results.filter((result) => result.suite === name)
    const isSilent = !checksOnly && own.length === 0
    if ((code === 0 && !isSilent) || own.some(({ status }) => status === 'failed')) return []
    const verdict = isSilent ? 'reported no test' : 'failed'
    return [{ suite: name, name: `${title}: ${verdict}`, message: endOf(log) }]
  })
  return [...failedTests, ...failedSuites]
}

/**
 * Returns the lines that people read after a run, and whether everything passed. CI reads the counts from the last
 * line.
 */
export function summarize(
  results: readonly TestResult[],
  runs: readonly SuiteRun[],
  { withMessages }: { withMessages: boolean },
): { lines: string[]; isGreen: boolean } {
  const failures = failuresOf(results, runs)
  const { passed, skipped, failed: failedTests } = tally(results)
  const failedSuites = failures.length - failedTests
  // A run without any test counts as failed, because it has tested nothing.
  const failed = passed + failures.length === 0 ? 1 : failedTests + failedSuites
  const ofProduct = tally(results.filter(testsTheProduct)).passed
  const lines = [
    '',
    'Ten slowest tests:',
    ...slowest(results, 10).map(({ name, seconds }) => `  ${seconds.toFixed(2).padStart(7)} s  ${name}`),
    '',
    ...failures
      .slice(0, 30)
      .flatMap(({ suite, name, message }) => [
        `FAILED in ${suite}: ${name}`,
        ...(withMessages ? stripVTControlCharacters(message).split('\n').slice(0, 60) : []),
      ]),
    `Passed tests of the product: ${ofProduct}. Passed tests of the tools around it: ${passed - ofProduct}.`,
  ]
  const counts = `tests: ${passed} passed, ${failed} failed, ${skipped} skipped`
  return { lines: [...lines.map(withoutCounts), counts], isGreen: failed === 0 }
}

/**
 * Changes text that looks like the closing line of a run, so that CI does not read it as such: `3 failed` becomes `3 ×
 * failed`.
 */
export const withoutCounts = (text: string): string =>
  text.replaceAll(/\b(\d+) (passed|failed|skipped|flaky|pending|todo|total)\b/gi, '$1 × $2')

function endOf(log: string): string {
  try {
    return readFileSync(log, 'utf8').trimEnd().split('\n').slice(-60).join('\n')
  } catch {
    return ''
  }
}
