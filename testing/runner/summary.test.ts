import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Suite } from './suites.ts'
import { summarize } from './summary.ts'
import type { TestResult } from './test-reports.ts'

const suite: Suite = { name: 'unit', title: 'Unit tests', command: [], limitMinutes: 1 }
const test = (status: TestResult['status'], message = ''): TestResult => ({
  suite: 'unit',
  file: 'libs/a.test.ts',
  name: `a ${status} test`,
  status,
  seconds: 1,
  message,
})

describe('the summary of a run', () => {
  it('ends with the one line that has the counts', () => {
    const run = { suite, code: 0, log: '' }
    const { lines, isGreen } = summarize([test('passed'), test('skipped')], [run], { withMessages: true })
    expect(lines.at(-1)).toBe('tests: 1 passed, 0 failed, 1 skipped')
    expect(lines.join('\n')).toContain('1.00 s  a passed test')
    expect(isGreen).toBe(true)
  })

  it('shows the message of a failed test, and changes counts in it', () => {
    const results = [test('passed'), test('failed', 'expected 1\n2 failed')]
    const { lines, isGreen } = summarize(results, [{ suite, code: 1, log: '' }], { withMessages: true })
    expect(lines.join('\n')).toContain(
      'FAILED in unit: libs/a.test.ts: a failed test\nexpected 1\n2 × failed',
    )
    expect(lines.filter((line) => /\d (passed|failed|skipped)/.test(line))).toHaveLength(1)
    expect(lines.at(-1)).toBe('tests: 1 passed, 1 failed, 0 skipped')
    expect(isGreen).toBe(false)
  })

  it('counts a suite that ends without a report as failed and shows the end of its log', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sumlock-summary-'))
    const log = join(folder, 'unit.log')
    writeFileSync(log, 'no space left\n')
    const { lines } = summarize([], [{ suite, code: 0, log }], { withMessages: true })
    expect(lines).toContain('FAILED in unit: Unit tests: reported no test')
    expect(lines).toContain('no space left')
    expect(lines.at(-1)).toBe('tests: 0 passed, 1 failed, 0 skipped')
    rmSync(folder, { recursive: true })
  })

  it('counts a run without any suite as failed', () => {
    expect(summarize([], [], { withMessages: true }).lines.at(-1)).toBe(
      'tests: 0 passed, 1 failed, 0 skipped',
    )
  })
})
