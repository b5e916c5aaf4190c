import { execFileSync } from 'node:child_process'
import type { JSONReport } from '@playwright/test/reporter'
import { describeDurations, processorSeconds, secondsOfFiles } from './durations.ts'

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

  it('warn when a run misses an aim for its seconds or for those of the processors', () => {
    const unit = { seconds: 61, processorSeconds: 100, files: { 'a.test.ts': 3 } }
    const linesOf = (seconds: number, processors: number) =>
      describeDurations(
        { unit },
        { seconds, processorSeconds: processors },
        { seconds: 60, processorSeconds: 110 },
      ).join('\n')
    expect(linesOf(61, 110)).toContain('Warning: this took 61 s; the aim is 60.')
    expect(linesOf(61, 110)).not.toContain('processor seconds')
    expect(linesOf(60, 111)).toContain('Warning: this took 111 processor seconds; the aim is 110.')
    expect(linesOf(60, 110)).not.toContain('Warning')
    expect(linesOf(60, 110)).toMatch(/61 s +100 s of processors {2}unit\n +3 s {2}a.test.ts/)
  })

  it('count the work of children that have ended', () => {
    const before = processorSeconds()
    const work = 'const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end);'
    execFileSync(process.execPath, ['-e', work])
    expect(processorSeconds() - before).toBeGreaterThan(0.29)
  })
})
