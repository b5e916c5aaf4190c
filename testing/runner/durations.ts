import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { JSONReport } from '@playwright/test/reporter'
import { fromPlaywright } from './test-reports.ts'

/** The times of a suite. */
export interface SuiteDurations {
  seconds: number
  /**
   * The work of the processes that ended while the suite ran, including suites that ran in parallel. Engines end after
   * all suites.
   */
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

/** Returns the same for a report that may be missing. */
export function readSecondsOfFiles(report: string, root: string): Record<string, number> {
  try {
    return secondsOfFiles(JSON.parse(readFileSync(report, 'utf8')) as JSONReport, root)
  } catch {
    return {}
  }
}

/**
 * Seconds of work of this process and of all its children that have ended, with theirs. Systems without /proc count this
 * process alone.
 */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + endedChildrenSeconds()
}

function endedChildrenSeconds(): number {
  try {
    // Fields 16 and 17 of proc(5), in ticks of 10 ms; the name before them is in brackets and may hold spaces.
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

/** Lines for people: each suite, its slowest files, and a warning for each aim that was missed. */
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

/** Writes the times to a file. */
export function keepDurations(path: string, durations: Readonly<Record<string, SuiteDurations>>): void {
  writeFileSync(path, `${JSON.stringify(durations, null, 2)}\n`)
}
