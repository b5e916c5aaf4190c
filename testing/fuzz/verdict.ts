import { elsewhere } from './front-desk.ts'
import type { Visits } from './front-desk.ts'

/** What we read of schemathesis's own report. `operations` are named `POST /api/messages`. */
export interface FuzzReport {
  complete: boolean
  failures: readonly { title: string; count: number; operations: readonly string[] }[]
  errors: readonly { title: string; count: number }[]
}

export interface Verdict {
  table: string
  /** A sentence each; none when all is well. */
  faults: readonly string[]
}

/** Judges a run: no failure of a check, no error of the tool, and at least one success of every operation. */
export function verdictOf(
  visits: ReadonlyMap<string, Visits>,
  { complete, failures, errors }: FuzzReport,
  exitCode: number,
): Verdict {
  const neverReached = [...visits].filter(([id, { byStatus }]) => id !== elsewhere && sum(byStatus, 2) === 0)
  const faults = [
    ...failures.map(({ title, count, operations }) => `${title} (${count}×): ${operations.join(', ')}`),
    ...errors.map(({ title, count }) => `Schemathesis: ${title} (${count}×)`),
    ...neverReached.map(([id]) => `${id}: no call succeeded`),
    ...(complete ? [] : ['Schemathesis did not come to its end']),
  ]
  if (exitCode !== 0 && faults.length === 0) faults.push(`Schemathesis ended with ${exitCode}`)
  return { table: tableOf(visits), faults }
}

function tableOf(visits: ReadonlyMap<string, Visits>): string {
  const rows = [...visits].map(([id, { calls, byStatus }]) => {
    const statuses = [...byStatus].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
    return [id, calls, sum(byStatus, 2), sum(byStatus, 4), sum(byStatus, 5), statuses.join(', ')]
  })
  const widths = [24, 6, 6, 6, 6, 0]
  const line = (cells: readonly (string | number)[]) =>
    cells
      .map((cell, at) =>
        at === 0 ? String(cell).padEnd(widths[0] ?? 0) : String(cell).padStart(widths[at] ?? 0),
      )
      .join('  ')
  return [line(['operation', 'calls', '2xx', '4xx', '5xx', 'by status']), ...rows.map(line)].join('\n')
}

const sum = (byStatus: ReadonlyMap<number, number>, hundreds: number): number =>
  [...byStatus].reduce(
    (total, [status, count]) => total + (Math.floor(status / 100) === hundreds ? count : 0),
    0,
  )
