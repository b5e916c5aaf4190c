/**
 * Shows which fact of the specification is shown by which test.
 *
 *   npm run coverage:write                      judges the reports of the last `npm test`, then writes the page
 *   npm run coverage:write -- --check           judges, writes nothing, fails also when the page is out of date
 *   npm run coverage:write -- --from-sources    goes by the names in the sources alone, with or without --check
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { claimsIn } from './coverage-table/claims.ts'
import { parseDeviations, parseFacts } from './coverage-table/facts.ts'
import { faultsInRuns, faultsInSources } from './coverage-table/faults.ts'
import { renderTable } from './coverage-table/render-table.ts'
import { runsIn } from './coverage-table/runs.ts'

const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    'from-sources': { type: 'boolean', default: false },
    root: { type: 'string', default: resolve(import.meta.dirname, '..') },
  },
})

const root = resolve(options.root)
const page = 'docs/specification-coverage.md'
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const find = (...patterns: string[]) =>
  globSync(patterns, { cwd: root, exclude: ['**/node_modules', '**/dist', '.data', '.git'] }).sort()

function readReports() {
  const reports = find('artifacts/reports/*.json')
  if (reports.length === 0)
    throw new Error(
      'There is no report in artifacts/reports. Run "npm test" first, or go by the sources alone: --from-sources.',
    )
  return reports.flatMap((path) => runsIn(JSON.parse(read(path)), root))
}

function findFaults(): string[] {
  const facts = parseFacts(read('docs/specification-facts.tsv'))
  const deviations = parseDeviations(read('docs/deviations.md'))
  const tests = find('{libs,services,dev,testing,ops,tools,web}/**/*.test.{ts,tsx}', 'web/e2e/**/*.spec.ts')
  const claims = tests.flatMap((file) => claimsIn(file, read(file)))

  const faults = faultsInSources(facts, deviations, claims)
  if (!options['from-sources']) faults.push(...faultsInRuns(claims, readReports()))
  if (faults.length > 0) return faults

  const table = renderTable(facts, claims)
  if (!options.check) writeFileSync(join(root, page), table)
  else if (find(page).length === 0 || read(page) !== table)
    return [`${page} is not what the tests claim now. Run "npm run coverage:write" and commit the page.`]
  console.log(`${page}: ${facts.length} facts, ${new Set(claims.map(({ id }) => id)).size} claimed by tests.`)
  return []
}

try {
  const faults = findFaults()
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length > 0 ? 1 : 0
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
