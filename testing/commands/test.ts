import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { enginesMode, repoRoot } from '@sumlock/dev/config'
import { freeBytes } from '@sumlock/dev/engines/disk-space'
import { compileS3Store } from '@sumlock/dev/engines/s3'
import { buildWeb } from '@sumlock/dev/product/build-web'
import { progress } from '@sumlock/dev/product/terminal'
import { adminPerson } from '../kit/people.ts'
import { startRunningEngines, stopRunningEngines } from '../kit/running-engines.ts'
import { sharedStack } from '../kit/shared-stack.ts'
import { changedPaths, unchangedTools } from '../runner/changed-tools.ts'
import {
  describeDurations,
  keepDurations,
  processorSeconds,
  readSecondsOfFiles,
} from '../runner/durations.ts'
import type { SuiteDurations } from '../runner/durations.ts'
import { runWithin } from '../runner/run-within.ts'
import { partsOf, reportOf, reportsFolder, runParts } from '../runner/suites.ts'
import type { Suite, Tier } from '../runner/suites.ts'
import { summarize, withoutCounts } from '../runner/summary.ts'
import type { SuiteRun } from '../runner/summary.ts'
import { readReports } from '../runner/test-reports.ts'

// npm test                 the suites of every change (`--tier test`)
// npm run test:full        `--tier full`: full sizes, and what takes minutes
// npm run test:long        `--tier long`: what takes ten minutes and more, and all guards
// npm run test:<suite>     one suite by its name; `-- --only PATTERN` picks some of its files
// `--ci` prints progress instead of the output, which is in artifacts/reports/*.log, and then the messages of failures
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tier: { type: 'string', default: 'test' },
    ci: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    heartbeat: { type: 'string', default: '60' },
  },
})
const tier = values.tier as Tier
const isCi = values.ci
const startedAt = performance.now()
const durations: Record<string, SuiteDurations> = {}
/** A run that exceeds one of these aims ends with a warning. */
const aims = { test: { seconds: 360, processorSeconds: 650 }, full: { seconds: 1200 }, long: {} }
const parts = partsOf(tier, positionals)
const skippedTools = tier === 'full' ? [] : unchangedTools(changedPaths(repoRoot) ?? ['package.json'])
rmSync(reportsFolder, { recursive: true, force: true })
mkdirSync(reportsFolder, { recursive: true })
keepDataInMemory()

// The suites receive the signal as well and need a moment to stop their engines, so this process waits for them and
// starts no other suite.
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (!interruption.signal.aborted) say(`\nStopped by ${signal}. These were running:\n${whatRuns()}`)
    interruption.abort(signal)
  })
}
const heartbeat = setInterval(() => say(whatRuns()), Number(values.heartbeat) * 1000)
if (!isCi) clearInterval(heartbeat)
if (skippedTools.length > 0)
  say(`Unchanged, so their tests are left to \`npm run test:full\`: ${skippedTools.join(', ')}`)

const needsWeb = parts.flat().some(({ name }) => name.startsWith('e2e'))
const webRoot = needsWeb ? buildWeb(progress) : undefined
// If the build fails, the suites that need it fail below.
webRoot?.catch(() => undefined)
const needsEngines = parts.flat().some(({ onEngines }) => onEngines)
// A compiler beside the unit tests would take their processors, and they have a time limit.
if (needsEngines && enginesMode === 'native') await compileS3Store(progress)
let engines: Promise<void> | undefined
// In `npm test`, the engines start while the unit tests run.
if (tier === 'test' && needsEngines) startEnginesWithWeb().catch(() => undefined)
const runs: SuiteRun[] = await runParts(parts, runSuite)
clearInterval(heartbeat)
// A signal may have come while the engines were starting.
await engines?.catch(() => undefined)
await stopRunningEngines()
const { lines, isGreen } = summarize(readReports(reportsFolder, repoRoot), runs, { withMessages: isCi })
keepDurations(join(repoRoot, 'artifacts/last-durations.json'), durations)
const took = {
  seconds: (performance.now() - startedAt) / 1000,
  processorSeconds: processorSeconds(),
}
const aim = positionals.length > 0 ? {} : aims[tier]
process.stdout.write(
  `${[...describeDurations(durations, took, aim).map(withoutCounts), ...lines].join('\n')}\n`,
)
process.exit(isGreen ? 0 : 1)

async function runSuite(suite: Suite): Promise<SuiteRun> {
  const { name, title, command, limitMinutes, beside: isBeside = false } = suite
  const log = join(reportsFolder, `${name}.log`)
  const running = join(reportsFolder, `${name}.running`)
  if (interruption.signal.aborted) return { suite, code: 130, log }
  writeFileSync(running, '')
  say(`\n> ${title}${isBeside ? ' (beside)' : ''}`)
  const suiteStartedAt = performance.now()
  const processorsBefore = processorSeconds()
  const { code, ended } = await runWithin({
    command: [...command, ...values.only],
    cwd: repoRoot,
    env: await childEnvironment(suite),
    limitMs: limitMinutes * 60_000,
    log,
    echo: !isBeside && !isCi,
    report: reportOf(name),
    isLow: isBeside,
    stop: interruption.signal,
  })
  if (ended) say(`\nThe suite was ended, because ${ended}. These were running:\n${whatRuns()}`)
  if (isBeside && !isCi && code !== 0) say(readFileSync(log, 'utf8'))
  rmSync(running, { force: true })
  const seconds = (performance.now() - suiteStartedAt) / 1000
  durations[name] = {
    seconds: Math.round(seconds),
    processorSeconds: Math.round(processorSeconds() - processorsBefore),
    files: readSecondsOfFiles(reportOf(name), repoRoot),
  }
  say(`> ${title}: ${code === 0 ? 'ok' : 'FAILED'} after ${seconds.toFixed(0)} s`)
  return { suite, code, log }
}

/**
 * Returns the environment of a suite: without the options of this process, and with the addresses of what it started.
 */
async function childEnvironment({ name, env, onEngines }: Suite): Promise<NodeJS.ProcessEnv> {
  if (onEngines) await startEnginesWithWeb()
  const { NODE_OPTIONS: _options, SUMLOCK_TEST_ENGINES: enginesFile, ...inherited } = process.env
  return {
    ...inherited,
    ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
    ...(onEngines ? { SUMLOCK_TEST_ENGINES: enginesFile } : {}),
    ...(name.startsWith('e2e') ? await addressesForBrowser() : {}),
    SUMLOCK_SKIP_TOOLS: name === 'tools' ? '' : skippedTools.join(','),
    SUMLOCK_SKIP_SIZED: positionals.length === 0 ? '1' : '',
    ...env,
  }
}

function startEnginesWithWeb(): Promise<void> {
  const start = async () => startRunningEngines(webRoot ? { webRoot: await webRoot } : {})
  return (engines ??= start())
}

async function addressesForBrowser() {
  const stack = await sharedStack()
  const { username, password, pin } = await adminPerson(stack)
  return {
    E2E_BASE_URL: stack.gatewayUrl,
    E2E_INBOX_URL: stack.addresses.inboxUrl,
    E2E_ADMIN: JSON.stringify({ username, password, pin }),
  }
}

/**
 * Keeps temporary data in memory if there is room, so that a slow disk does not affect the results. The required sizes
 * are several times what the engines of one run use.
 */
function keepDataInMemory(): void {
  try {
    if (freeBytes('/dev/shm') < 6e9 || process.availableMemory() < 12e9) return
    const folder = mkdtempSync('/dev/shm/sumlock-tests-')
    process.env['TMPDIR'] = folder
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  } catch {
    // Without /dev/shm, the system's folder for temporary files is used.
  }
}

/** Returns the time since the start, and the running suites with their running tests (see running-reporter.mjs). */
function whatRuns(): string {
  const files = readdirSync(reportsFolder).filter((file) => file.endsWith('.running'))
  const tests = files.flatMap((file) => [
    `  ${file.replace('.running', '')}`,
    ...readFileSync(join(reportsFolder, file), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((test) => `    since ${test.replace(`${repoRoot}/`, '')}`),
  ])
  return [`${((performance.now() - startedAt) / 60_000).toFixed(1)} min`, ...tests].join('\n')
}

function say(text: string): void {
  process.stdout.write(`${isCi ? withoutCounts(text) : text}\n`)
}
