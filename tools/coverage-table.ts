/**
 * Shows which test shows which fact of the specification.
 *
 *   npm run coverage:write                      checks the reports of the last `npm test`, then writes the page
 *   npm run coverage:write -- --check           only checks, and fails also when the page is out of date
 *   npm run coverage:write -- --from-sources    reads the test names in the sources instead of reports
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { updateCoverage } from './coverage-table/update-coverage.ts'

const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    'from-sources': { type: 'boolean', default: false },
  },
})
const { faults, summary } = updateCoverage({
  root: resolve(import.meta.dirname, '..'),
  isCheck: options.check,
  isFromSources: options['from-sources'],
})
for (const fault of faults) console.error(fault)
if (faults.length === 0) console.log(summary)
process.exitCode = faults.length > 0 ? 1 : 0
