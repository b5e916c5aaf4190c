import type { ChildProcess } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repoRoot } from '@sumlock/dev/config'
import { changedPaths, unchangedTools } from '../runner/changed-tools.ts'
import { memoryFolder } from '../runner/memory-folder.ts'
import { runWithin } from '../runner/run-within.ts'
import { reportOf, reportsFolder, stagesOf, suitesOf } from '../runner/suites.ts'
import type { Suite, Tier } from '../runner/suites.ts'
import { closingLines, summarize } from '../runner/summary.ts'
import type { SuiteRun } from '../runner/summary.ts'
import { readReports } from '../runner/test-reports.ts'

// npm test                 the suites of every change (`--tier test`)
// npm run test:full        `--tier full`: full sizes, and what takes minutes
// npm run test:long        `--tier long`: what takes ten minutes and more, and all guards
// npm run test:<suite>     one suite by its name
// `--summary FILE` writes the summary as JSON, `--skip-sized` leaves out what `test:full` runs at full size.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tier: { type: 'string', default: 'test' },
    summary: { type: 'string' },
    'skip-sized': { type: 'boolean', default: false },
  },
})
const tier = values.tier as Tier
const wanted = suitesOf(tier, positionals)
const skippedTools = tier === 'test' ? unchangedTools(changedPaths(repoRoot) ?? ['package.json']) : []
rmSync(reportsFolder, { recursive: true, force: true })
mkdirSync(reportsFolder, { recursive: true })
const memory = memoryFolder('sumlock-tests-')
process.once('exit', () => {
  if (memory !== null) rmSync(memory, { recursive: true, force: true })
})

// Ctrl-C reaches the suites too, and they need a moment to stop their engines: wait for them, then start no other.
let interrupted = false
const children = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interrupted = true
    if (signal !== 'SIGINT') for (const child of children) child.kill(signal)
  })
}

if (skippedTools.length > 0)
  process.stdout.write(
    `Unchanged, so their tests are left to \`npm run test:full\`: ${skippedTools.join(', ')}\n`,
  )
const runs: SuiteRun[] = []
for (const stage of stagesOf(wanted)) {
  // The specification is shown by tests: after a failed one, its coverage says nothing new.
  if (stage[0]?.name === 'coverage' && runs.some(({ code }) => code !== 0)) continue
  runs.push(...(await Promise.all(stage.map(runSuite))))
  if (interrupted) process.exit(130)
}
const summary = summarize(readReports(reportsFolder, repoRoot), runs)
if (values.summary) writeFileSync(values.summary, JSON.stringify(summary))
process.stdout.write(closingLines(summary).join('\n') + '\n')
process.exit(summary.failed > 0 || summary.passed === 0 ? 1 : 0)

async function runSuite(suite: Suite, position: number): Promise<SuiteRun> {
  const isBeside = position > 0
  const log = join(reportsFolder, `${suite.name}.log`)
  const running = join(reportsFolder, `${suite.name}.running`)
  writeFileSync(running, '')
  process.stdout.write(`\n> ${suite.title}${isBeside ? ' (beside)' : ''}\n`)
  const startedAt = performance.now()
  const { code, ended } = await runWithin({
    command: suite.command,
    cwd: repoRoot,
    env: childEnvironment(suite),
    limitMs: suite.limitMinutes * 60_000,
    log,
    echo: !isBeside,
    report: reportOf(suite.name),
    started: (child) => {
      children.add(child)
      child.once('exit', () => children.delete(child))
      if (isBeside && child.pid) setPriority(child.pid, 10)
    },
  })
  if (ended) process.stdout.write(`\nThis was ended, because ${ended}. It was running:\n${read(running)}\n`)
  if (isBeside && code !== 0) process.stdout.write(read(log))
  rmSync(running, { force: true })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
  process.stdout.write(`> ${suite.title}: ${code === 0 ? 'ok' : 'FAILED'} after ${seconds} s\n`)
  return { suite, code, log }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Tests never see the options of this process, and keep their data in memory where there is room. */
function childEnvironment({ env }: Suite): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, ...rest } = process.env
  return {
    ...rest,
    ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
    ...(memory === null ? {} : { TMPDIR: memory }),
    SUMLOCK_SKIP_TOOLS: skippedTools.join(','),
    SUMLOCK_SKIP_SIZED: values['skip-sized'] ? '1' : '',
    ...env,
  }
}
