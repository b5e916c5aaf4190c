import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { JSONReport } from '@playwright/test/reporter'
import { fromPlaywright } from './test-reports.ts'

export interface SuiteDurations {
  seconds: number
  /**
   * The processes that ended while the suite ran used this much processor time, including processes of parallel suites.
   * Engines end after all suites, so they are not included.
   */
  processorSeconds: number
  /** Each test file took this many seconds with its set-up; the slowest is the first. */
  files: Record<string, number>
}

interface TimedJestReport {
  testResults: { name: string; startTime: number; endTime: number }[]
}

/**
 * Returns the seconds of each file in a report of Jest or Playwright, the slowest first. Playwright's seconds do not
 * include set-up.
 */
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

/** Returns the result of `secondsOfFiles` for a report, or an empty object if the report is missing. */
export function readSecondsOfFiles(report: string, root: string): Record<string, number> {
  try {
    return secondsOfFiles(JSON.parse(readFileSync(report, 'utf8')) as JSONReport, root)
  } catch {
    return {}
  }
}

/**
 * Returns the processor time, in seconds, of this process and of all its children that have ended, with their ended
 * children. On systems without /proc, only this process counts.
 */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + endedChildrenSeconds()
}

function endedChildrenSeconds(): number {
  try {
    // `/proc/self/stat` has these times as fields 16 and 17, in ticks of 10 ms. The split list begins at field 3, behind the
    // name, which may contain spaces.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[13]) + Number(fields[14])) / 100
  } catch {
    return 0
  }
}

export interface Took {
  seconds: number
  processorSeconds: number
}

/** Returns lines for people: each suite, its slowest files, and a warning for each aim that was missed. */
export function describeDurations(
  durations: Readonly<Record<string, SuiteDurations>>,
  took: Took,
  aim: Partial<Took>,
): string[] {
  const lines = Object.entries(durations).flatMap(([name, suite]) => [
    `  ${suite.seconds.toFixed(0).padStart(5)} s  ${suite.processorSeconds.toFixed(0).padStart(5)} s of processors  ${name}`,
    ...Object.entries(suite.files)
      .slice(0, 5)
      .map(([file, own]) => `  ${own.toFixed(0).padStart(9)} s  ${file}`),
  ])
  const warn = (value: number, allowed: number | undefined, unit: string) =>
    value > (allowed ?? Infinity)
      ? [`Warning: this took ${value.toFixed(0)} ${unit}; the aim is ${allowed}.`]
      : []
  return [
    '',
    'Suites and their slowest files:',
    ...lines,
    `  ${took.seconds.toFixed(0).padStart(5)} s  ${took.processorSeconds.toFixed(0).padStart(5)} s of processors  in all`,
    ...warn(took.seconds, aim.seconds, 's'),
    ...warn(took.processorSeconds, aim.processorSeconds, 'processor seconds'),
  ]
}

export function keepDurations(path: string, durations: Readonly<Record<string, SuiteDurations>>): void {
  writeFileSync(path, `${JSON.stringify(durations, null, 2)}\n`)
}
