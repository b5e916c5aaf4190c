import type { JSONReport } from '@playwright/test/reporter'
import { fromJest, fromPlaywright, slowest, tally, testsTheProduct } from './test-reports.ts'

describe('test reports', () => {
  it('count the tests of a jest report, and a file that could not start as failed', () => {
    const results = fromJest(
      'unit',
      {
        testResults: [
          {
            name: '/x/services/a.test.ts',
            status: 'failed',
            message: '',
            assertionResults: [
              { ancestorTitles: ['a'], title: 'works', status: 'passed', duration: 1500 },
              { ancestorTitles: ['a'], title: 'breaks', status: 'failed', failureMessages: ['expected 1'] },
              { ancestorTitles: ['a'], title: 'waits', status: 'pending' },
            ],
          },
          { name: '/x/tools/b.test.ts', status: 'failed', message: 'SyntaxError', assertionResults: [] },
        ],
      },
      '/x',
    )
    expect(tally(results)).toEqual({ passed: 1, failed: 2, skipped: 1 })
    expect(slowest(results, 1)).toMatchObject([{ name: 'a works', seconds: 1.5 }])
    expect(results.filter(({ status }) => status === 'failed').map(({ message }) => message)).toEqual([
      'expected 1',
      'SyntaxError',
    ])
    expect(results.filter(testsTheProduct)).toHaveLength(3)
  })

  it('count the tests of nested Playwright suites, and a flaky test as failed', () => {
    const spec = (title: string, status: string) => ({
      title,
      file: 'two-people.spec.ts',
      tests: [{ status, results: [{ duration: 10, errors: [{ message: `${title} said` }] }] }],
    })
    const report = {
      suites: [
        {
          title: 'f',
          specs: [spec('one', 'expected')],
          suites: [{ title: 'g', specs: [spec('two', 'flaky')] }],
        },
      ],
    } as unknown as JSONReport
    const results = fromPlaywright('e2e', report)
    expect(tally(results)).toEqual({ passed: 1, failed: 1, skipped: 0 })
    expect(results).toContainEqual(expect.objectContaining({ name: 'two', message: 'two said' }))
    expect(results.every(testsTheProduct)).toBe(true)
  })
})
