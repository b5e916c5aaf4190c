import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { claimsIn } from './coverage-table/claims.ts'
import { faultsInRuns, faultsInSources, parseDeviations, parseFacts } from './coverage-table/facts.ts'
import { renderTable } from './coverage-table/render-table.ts'
import { readReports } from '../testing/runner/test-reports.ts'

// Shows which test proves which fact of the specification, and fails when one of these tests has not passed.
// npm run coverage:write                      checks the reports of the last `npm test`, then writes the page
// npm run coverage:write -- --check           only checks, and fails also when the page is out of date
// npm run coverage:write -- --from-sources    reads the test names in the sources instead of reports
// --root <folder>                             uses another checkout
const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    'from-sources': { type: 'boolean', default: false },
    root: { type: 'string', default: join(import.meta.dirname, '..') },
  },
})
const page = 'docs/specification-coverage.md'
const pathOf = (path: string) => join(values.root, path)
const read = (path: string) => readFileSync(pathOf(path), 'utf8')

const facts = parseFacts(read('docs/specification-facts.tsv'))
const tests = globSync(
  ['{libs,services,dev,testing,ops,tools,web}/**/*.test.{ts,tsx}', 'web/e2e/**/*.spec.ts'],
  {
    cwd: values.root,
    exclude: ['**/node_modules', '**/dist'],
  },
)
const claims = tests.sort().flatMap((file) => claimsIn(file, read(file)))
const faults = faultsInSources(facts, parseDeviations(read('docs/deviations.md')), claims)
if (!values['from-sources']) {
  const runs = readReports(pathOf('artifacts/reports'), values.root)
  if (runs.length > 0) faults.push(...faultsInRuns(claims, runs))
  else faults.push('There is no report in artifacts/reports. Run "npm test" first, or use --from-sources.')
}
const table = renderTable(facts, claims)
const isOutdated = () => !globSync(page, { cwd: values.root }).length || read(page) !== table
if (faults.length === 0 && values.check && isOutdated())
  faults.push(`${page} is out of date. Run "npm run coverage:write" and commit the page.`)

if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n`)
  process.exit(1)
}
if (!values.check) writeFileSync(pathOf(page), table)
const claimed = new Set(claims.map(({ id }) => id)).size
process.stdout.write(`${page}: ${facts.length} facts, ${claimed} claimed by tests.\n`)
