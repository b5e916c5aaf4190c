import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { relative } from 'node:path'
import type { JSONReport } from '@playwright/test/reporter'
import { fromPlaywright } from './test-reports.ts'

/** The times of a suite. Those of the machine count all its processes. */
export interface SuiteDurations {
  seconds: number
  /** Of all processors, while the suite ran. */
  processorSeconds: number
  /** Seconds of each test file with its set-up, the slowest first. */
  files: Record<string, number>
}

interface TimedJestReport {
  testResults: { name: string; startTime: number; endTime: number }[]
}

/** Seconds of each file in a report of Jest or Playwright, the slowest first; Playwright's have no set-up. */
export function secondsOfFiles(report: TimedJestReport | JSONReport, root: string): Record<string, number> {
  const all =
    'testResults' in report
      ? report.testResults.map(({ name, startTime, endTime }) => ({
          file: relative(root, name),
          seconds: (endTime - startTime) / 1000,
        }))
      : fromPlaywright('', report)
  const sums: Record<string, number> = {}
  for (const { file, seconds } of all) sums[file] = (sums[file] ?? 0) + seconds
  const rounded = Object.entries(sums).map(
    ([file, seconds]) => [file, Math.round(seconds * 10) / 10] as const,
  )
  return Object.fromEntries(rounded.toSorted(([, left], [, right]) => right - left))
}

/** As above, of a report that may be missing. */
export function readSecondsOfFiles(report: string, root: string): Record<string, number> {
  try {
    return secondsOfFiles(JSON.parse(readFileSync(report, 'utf8')) as JSONReport, root)
  } catch {
    return {}
  }
}

/** Seconds of work of all processors since the machine was started. */
export function processorSeconds(): number {
  const busy = cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq)
  return busy.reduce((sum, ms) => sum + ms, 0) / 1000
}

/** Lines for people: each suite, its slowest files, and a warning above `aimSeconds`. */
export function describeDurations(
  durations: Readonly<Record<string, SuiteDurations>>,
  { seconds, aimSeconds }: { seconds: number; aimSeconds: number },
): string[] {
  const lines = Object.entries(durations).flatMap(([name, suite]) => [
    `  ${suite.seconds.toFixed(0).padStart(5)} s  ${suite.processorSeconds.toFixed(0).padStart(5)} s of processors  ${name}`,
    ...Object.entries(suite.files)
      .slice(0, 5)
      .map(([file, own]) => `  ${own.toFixed(0).padStart(9)} s  ${file}`),
  ])
  const warning = `Warning: this took ${seconds.toFixed(0)} s; ${aimSeconds} s are the aim.`
  return ['', 'Suites and their slowest files:', ...lines, ...(seconds > aimSeconds ? [warning] : [])]
}

/** Keeps the times for the next look. */
export function keepDurations(path: string, durations: Readonly<Record<string, SuiteDurations>>): void {
  writeFileSync(path, `${JSON.stringify(durations, null, 2)}\n`)
}
