import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { claimsIn } from './claims.ts'
import { parseDeviations, parseFacts } from './facts.ts'
import { faultsInRuns, faultsInSources } from './faults.ts'
import { renderTable } from './render-table.ts'
import { runsIn } from './runs.ts'
import type { Run } from './runs.ts'

export interface CoverageOptions {
  root: string
  /** Compare the page instead of writing it. */
  isCheck?: boolean
  /** Do without the reports of a test run. */
  isFromSources?: boolean
}

const page = 'docs/specification-coverage.md'

/** Checks the facts against the tests and writes the page, unless there are faults. Each fault is a sentence. */
export function updateCoverage({ root, isCheck = false, isFromSources = false }: CoverageOptions): {
  faults: string[]
  summary: string
} {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const find = (...patterns: string[]) =>
    globSync(patterns, { cwd: root, exclude: ['**/node_modules', '**/dist', '.data', '.git'] }).sort()
  const facts = parseFacts(read('docs/specification-facts.tsv'))
  const tests = find('{libs,services,dev,testing,ops,tools,web}/**/*.test.{ts,tsx}', 'web/e2e/**/*.spec.ts')
  const claims = tests.flatMap((file) => claimsIn(file, read(file)))
  const summary = `${page}: ${facts.length} facts, ${new Set(claims.map(({ id }) => id)).size} claimed by tests.`

  const faults = faultsInSources(facts, parseDeviations(read('docs/deviations.md')), claims)
  if (!isFromSources) {
    const reports = find('artifacts/reports/*.json')
    const runs = reports.flatMap((path): Run[] => runsIn(JSON.parse(read(path)), root))
    if (reports.length > 0) faults.push(...faultsInRuns(claims, runs))
    else faults.push('There is no report in artifacts/reports. Run "npm test" first, or use --from-sources.')
  }
  if (faults.length > 0) return { faults, summary }

  const table = renderTable(facts, claims)
  if (!isCheck) writeFileSync(join(root, page), table)
  else if (find(page).length === 0 || read(page) !== table)
    faults.push(`${page} is out of date. Run "npm run coverage:write" and commit the page.`)
  return { faults, summary }
}
