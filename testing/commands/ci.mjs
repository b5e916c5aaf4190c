// What decides whether a change lands. It prints failures, the slowest tests and a heartbeat; all the rest goes to
// artifacts/ci/*.log. The last line has the counts, and CI reads them there: no other line may look like it.
//
//   node testing/commands/ci.mjs [--minutes N] ['COMMAND' …]     each COMMAND is given `--summary FILE`
//
// Plain JavaScript without imports of ours: it runs on the Node that is there before the packages are.
import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '84' }, heartbeat: { type: 'string', default: '60' } },
})
const parts = positionals.length > 0 ? positionals : ['npm test -- --skip-sized', 'npm run test:full --']
const folder = 'artifacts/ci'
const startedAt = Date.now()
const count = { passed: 0, failed: 0, skipped: 0 }
let slowest = []
let stopReason = ''

const say = (text) => process.stdout.write(`${text}\n`)
const minutes = () => ((Date.now() - startedAt) / 60_000).toFixed(1)

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const [index, command] of parts.entries()) {
  if (count.failed > 0 || stopReason) break
  await runPart(command, join(folder, `part-${index + 1}`))
}
say(`\nTen slowest tests:`)
for (const { name, seconds } of slowest.sort((a, b) => b.seconds - a.seconds).slice(0, 10)) {
  say(`  ${seconds.toFixed(1).padStart(6)} s  ${withoutCounts(name)}`)
}
if (count.passed === 0 && count.failed === 0) count.failed = 1
process.stdout.write(`\ntests: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`)
process.exitCode = count.failed > 0 ? 1 : 0

async function runPart(command, file) {
  const log = `${file}.log`
  const summaryFile = `${file}.json`
  say(`${command}: started, log in ${log}`)
  const code = await run(`${command} --summary ${summaryFile}`, log, command)
  const summary = readSummary(summaryFile)
  if (!summary) {
    count.failed += 1
    say(`${command}: ended ${stopReason || `with code ${code}`} and without a summary. The end of ${log}:`)
    return say(excerpt(readOr(log, ''), -80))
  }
  for (const key of Object.keys(count)) count[key] += summary[key]
  if (code !== 0 && summary.failed === 0) count.failed += 1
  slowest.push(...summary.slowest)
  for (const { suite, name, message } of summary.failures.slice(0, 30)) {
    say(`\nFAILED in ${suite}: ${withoutCounts(name)}\n${excerpt(message, 60)}`)
  }
  const { product, tools } = summary
  say(`${command}: ended with code ${code} after ${minutes()} minutes in all.`)
  say(`Green tests of the product: ${product.passed}, of the tools around it: ${tools.passed}.`)
}

/** Runs a shell command into a log. Ends its whole process group when the time is up or this process is stopped. */
function run(command, log, title) {
  const output = createWriteStream(log)
  const child = spawn('bash', ['-c', command], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.write(chunk))
  const stop = (reason) => {
    if (stopReason) return
    stopReason = reason
    say(`${title}: stopped ${reason}. It was running:\n${whatRuns()}`)
    signalGroup('SIGTERM')
    setTimeout(() => signalGroup('SIGKILL'), 40_000).unref()
  }
  const signalGroup = (signal) => {
    try {
      process.kill(-child.pid, signal)
    } catch {
      // The group has ended by itself.
    }
  }
  const limit = setTimeout(() => stop(`after ${values.minutes} minutes`), msLeft())
  const heartbeat = setInterval(
    () => say(`${minutes()} min  ${title}\n${whatRuns()}`),
    Number(values.heartbeat) * 1000,
  )
  const onSignal = (signal) => stop(`by ${signal}`)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal)
  return new Promise((resolve) => {
    child.once('exit', (code) => {
      clearTimeout(limit)
      clearInterval(heartbeat)
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, onSignal)
      output.end(() => resolve(code ?? 1))
    })
  })
}

function msLeft() {
  return Math.max(0, Number(values.minutes) * 60_000 - (Date.now() - startedAt))
}

/** The suites in progress with their test files, as testing/runner/running-reporter.mjs writes them. */
function whatRuns() {
  const reports = 'artifacts/reports'
  let files = []
  try {
    files = readdirSync(reports).filter((file) => file.endsWith('.running'))
  } catch {
    // Nothing has started yet.
  }
  const lines = files.flatMap((file) => {
    const tests = readOr(join(reports, file), '').trim().split('\n').filter(Boolean)
    return [
      `  ${file.replace('.running', '')}`,
      ...tests.map((test) => `    since ${withoutCounts(test.replace(`${process.cwd()}/`, ''))}`),
    ]
  })
  return lines.join('\n') || '  (no suite)'
}

function readSummary(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function readOr(file, otherwise) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return otherwise
  }
}

/** The first lines of a text, or, with a negative number, the last ones. */
function excerpt(text, lines) {
  const all = withoutCounts(text).trimEnd().split('\n')
  return (lines < 0 ? all.slice(lines) : all.slice(0, lines)).map((line) => `  ${line}`).join('\n')
}

/** Changes what looks like the closing line of a run: `3 failed` becomes `3 × failed`. */
function withoutCounts(text) {
  return text.replaceAll(/\b(\d+) (passed|failed|skipped|flaky|pending|todo|total)\b/gi, '$1 × $2')
}
