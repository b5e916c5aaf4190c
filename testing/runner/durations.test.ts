import type { JSONReport } from '@playwright/test/reporter'
import { describeDurations, secondsOfFiles } from './durations.ts'

describe('the durations of a run', () => {
  it('name each file with its seconds, the slowest first', () => {
    const jest = {
      testResults: [
        { name: '/x/a.test.ts', startTime: 1000, endTime: 2000 },
        { name: '/x/b.test.ts', startTime: 1000, endTime: 4040 },
      ],
    }
    expect(Object.entries(secondsOfFiles(jest, '/x'))).toEqual([
      ['b.test.ts', 3],
      ['a.test.ts', 1],
    ])
  })

  it('sum the tests of a browser’s file', () => {
    const spec = (duration: number) => ({
      title: 't',
      file: 'one.spec.ts',
      tests: [{ status: 'expected', results: [{ duration, errors: [] }] }],
    })
    const report = { suites: [{ title: 'f', specs: [spec(1500), spec(2500)] }] } as unknown as JSONReport
    expect(secondsOfFiles(report, '/x')).toEqual({ 'web/e2e/one.spec.ts': 4 })
  })

  it('warn when a run takes longer than its aim', () => {
    const unit = { seconds: 61, processorSeconds: 100, files: { 'a.test.ts': 3 } }
    const lines = (seconds: number) => describeDurations({ unit }, { seconds, aimSeconds: 60 }).join('\n')
    expect(lines(61)).toContain('Warning: this took 61 s; 60 s are the aim.')
    expect(lines(60)).not.toContain('Warning')
    expect(lines(60)).toMatch(/61 s +100 s of processors {2}unit\n +3 s {2}a.test.ts/)
  })
})
