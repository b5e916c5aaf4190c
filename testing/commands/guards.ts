import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repoRoot } from '@sumlock/dev/config'
import { listGuards, withoutGuard } from '../guards/guards.ts'
import { makeScratchCopy } from '../guards/scratch-copy.ts'
import { changedPaths } from '../runner/changed-tools.ts'
import { jestArguments } from '../runner/jest-command.ts'

// Removes each guard in a copy of the sources and shows that its test then fails. Ids select some guards. `--changed`
// selects guards whose line or test is in a file that differs from the main branch or, on the main branch, from the
// previous commit. After the time in `--minutes N`, no further guard is started.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { changed: { type: 'boolean', default: false }, minutes: { type: 'string', default: '600' } },
})

const changed = values.changed ? new Set(changedPaths(repoRoot) ?? []) : null
const chosen = listGuards()
  .filter(({ id }) => positionals.length === 0 || positionals.includes(id))
  .filter(({ file, testFile }) => changed === null || changed.has(file) || changed.has(testFile))
if (chosen.length === 0 && !values.changed) throw new Error(`There is no guard ${positionals.join(', ')}.`)

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
const root = await makeScratchCopy()
process.once('exit', () => rmSync(root, { recursive: true, force: true }))

/** Runs the tests of a file whose titles contain one of the given texts, and returns the counts. */
function runTests(testFile: string, titles: readonly string[]): { passed: number; failed: number } {
  const report = join(root, 'report.json')
  rmSync(report, { force: true })
  const options = ['--maxWorkers=1', '--forceExit', '--testTimeout=60000', '--json', `--outputFile=${report}`]
    .concat('--testPathPatterns', `${escaped(testFile)}$`)
    .concat('-t', titles.map(escaped).join('|'))
  const args = jestArguments(testFile.includes('.full.') ? ['full', 'faults'] : ['integration'], ...options)
  // A run at full size skips the tests at small size, which the guards need.
  const env = { ...process.env, SUMLOCK_SKIP_SIZED: '' }
  // Most of these tests have no time limit of their own, and a test without its guard may wait without end.
  const limits = { timeout: 600_000, maxBuffer: 1e9 }
  const { stderr } = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8', ...limits })
  try {
    const counts = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>
    return { passed: counts['numPassedTests'] ?? 0, failed: counts['numFailedTests'] ?? 0 }
  } catch {
    process.stdout.write(`Jest wrote no report for ${testFile}:\n${stderr.slice(-2000)}\n`)
    return { passed: 0, failed: 0 }
  }
}

const endsAt = performance.now() + Number(values.minutes) * 60_000
let red = 0
let left = 0
for (const [testFile, guards] of Map.groupBy(chosen, (guard) => guard.testFile)) {
  const titles = guards.map(({ title }) => title)
  const isGreen = () => {
    const { passed, failed } = runTests(testFile, titles)
    return failed === 0 && passed > 0
  }
  if (performance.now() < endsAt && !isGreen()) {
    process.stdout.write(`${testFile} does not pass with its guards in place\n`)
    continue
  }
  for (const guard of guards) {
    if (performance.now() > endsAt) {
      left += 1
      continue
    }
    const path = join(root, guard.file)
    const source = readFileSync(path, 'utf8')
    writeFileSync(path, withoutGuard(source, guard))
    const { passed, failed } = runTests(testFile, [guard.title])
    writeFileSync(path, source)
    const verdict = failed > 0 ? 'red' : passed > 0 ? 'STAYS GREEN' : 'NO TEST RAN'
    process.stdout.write(`${guard.id}: ${verdict} (${testFile}: ${guard.title})\n`)
    if (failed > 0) red += 1
  }
}
process.stdout.write(`\n${red} of ${chosen.length} guards: the test goes red without the line\n`)
if (left > 0)
  process.stdout.write(`${left} were left out after ${values.minutes} minutes; npm run test:long tries all\n`)
process.exitCode = red + left === chosen.length ? 0 : 1
