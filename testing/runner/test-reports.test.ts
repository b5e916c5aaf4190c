import { fromJest, fromPlaywright, slowest, tally } from './test-reports.ts'

describe('test reports', () => {
  it('counts what jest ran, and a file that could not even start as failed', () => {
    const results = fromJest('unit', {
      testResults: [
        {
          name: '/x/a.test.ts',
          status: 'failed',
          message: '',
          assertionResults: [
            { fullName: 'a works', status: 'passed', duration: 1500 },
            { fullName: 'a breaks', status: 'failed' },
            { fullName: 'a waits', status: 'pending' },
          ],
        },
        { name: '/x/b.test.ts', status: 'failed', message: 'SyntaxError', assertionResults: [] },
      ],
    })
    expect(tally(results)).toEqual({ passed: 1, failed: 2, skipped: 1 })
    expect(slowest(results, 1)).toMatchObject([{ name: 'a works', seconds: 1.5 }])
  })

  it('finds Playwright tests in nested suites and takes a flaky one for failed', () => {
    const spec = (title: string, status: string) => ({
      title,
      tests: [{ status, results: [{ duration: 10 }] }],
    })
    const results = fromPlaywright('e2e', {
      suites: [
        {
          title: 'f',
          specs: [spec('one', 'expected')],
          suites: [{ title: 'g', specs: [spec('two', 'flaky')] }],
        },
      ],
    })
    expect(tally(results)).toEqual({ passed: 1, failed: 1, skipped: 0 })
  })
})
