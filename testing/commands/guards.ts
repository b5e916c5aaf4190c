import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repoRoot } from '@sumlock/dev/config'
import { listGuards, withoutGuard } from '../guards/guards.ts'
import { makeScratchCopy } from '../guards/scratch-copy.ts'
import { changedPaths } from '../runner/changed-tools.ts'

// Removes each guard in a copy of the sources and shows that its test fails. Ids pick some; `--changed` picks those
// whose line or test is in a file that differs from the main branch (on the main branch: from the commit before).
// `--minutes N` starts no other guard after that time.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { changed: { type: 'boolean', default: false }, minutes: { type: 'string', default: '600' } },
})

const changed = values.changed ? new Set(changedPaths(repoRoot) ?? []) : null
const chosen = listGuards()
  .filter(({ id }) => positionals.length === 0 || positionals.includes(id))
  .filter(({ file, testFile }) => changed === null || changed.has(file) || changed.has(testFile))
if (chosen.length === 0 && !values.changed) throw new Error(`No such guard: ${positionals.join(', ')}`)

interface Report {
  testResults: { message: string; assertionResults: { status: string }[] }[]
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Runs the tests of a file whose titles contain one of the given texts. Counts how many passed and failed. */
function runTests(root: string, testFile: string, titles: readonly string[]) {
  const report = join(root, 'report.json')
  rmSync(report, { force: true })
  const project = testFile.includes('.full.') ? 'full' : 'integration'
  const pattern = titles.map((title) => escaped(title)).join('|')
  const options = ['--maxWorkers=1', '--forceExit', '--testTimeout=60000', '--json', `--outputFile=${report}`]
  const { stderr } = spawnSync(
    process.execPath,
    ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js']
      .concat('--selectProjects', project, ...options)
      .concat('--testPathPatterns', `${escaped(testFile)}$`, '-t', pattern),
    { cwd: root, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], maxBuffer: 1e9 },
  )
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
    const statuses = testResults.flatMap((file) => file.assertionResults.map(({ status }) => status))
    const count = (wanted: string) => statuses.filter((status) => status === wanted).length
    return { passed: count('passed'), failed: count('failed'), said: stderr.slice(-2000) }
  } catch {
    return { passed: 0, failed: 0, said: stderr.slice(-2000) }
  }
}

const root = await makeScratchCopy()
process.once('exit', () => rmSync(root, { recursive: true, force: true }))
const startedAt = performance.now()
const isTimeUp = () => performance.now() - startedAt > Number(values.minutes) * 60_000
let red = 0
let left = 0
for (const [testFile, guards] of Map.groupBy(chosen, (guard) => guard.testFile)) {
  if (isTimeUp()) {
    left += guards.length
    continue
  }
  const whole = runTests(
    root,
    testFile,
    guards.map(({ title }) => title),
  )
  if (whole.failed > 0 || whole.passed === 0) {
    process.stdout.write(`${testFile} does not pass with its guards in place:\n${whole.said}\n`)
    continue
  }
  for (const guard of guards) {
    if (isTimeUp()) {
      left += 1
      continue
    }
    const path = join(root, guard.file)
    const source = readFileSync(path, 'utf8')
    writeFileSync(path, withoutGuard(source, guard))
    const { passed, failed } = runTests(root, testFile, [guard.title])
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
