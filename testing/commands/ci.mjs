// What decides whether a change lands: the suites of `npm test` and, if they pass, of `npm run test:full`. The last line
// has the counts, and CI reads them there: a run that dies without it counts as one failure.
//
//   node testing/commands/ci.mjs [--minutes N] [COMMAND …]
//
// Plain JavaScript without imports of ours: it runs on the Node that is there before the packages are.
import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '84' } },
})
const runner = ['node', 'tools/bootstrap.mjs', 'testing/commands/test', '--tier', 'ci']
const [program, ...args] = positionals.length > 0 ? positionals : runner
mkdirSync('artifacts', { recursive: true })
const log = createWriteStream('artifacts/ci.log')
const child = spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
let lastPart = ''
child.stdout.on('data', (chunk) => {
  log.write(chunk)
  process.stdout.write(chunk)
  lastPart = (lastPart + chunk).slice(-500)
})

/** Ends the runner and all it started. It prints what was running, and its closing line. */
function stop(reason) {
  process.stdout.write(`Stopping ${reason}.\n`)
  signalGroup('SIGTERM')
  setTimeout(() => signalGroup('SIGKILL'), 60_000).unref()
}
function signalGroup(signal) {
  try {
    process.kill(-child.pid, signal)
  } catch {
    // The group has ended by itself.
  }
}
const limit = setTimeout(() => stop(`after ${values.minutes} minutes`), Number(values.minutes) * 60_000)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(`by ${signal}`))

child.once('error', () => undefined)
child.once('close', (code) => {
  clearTimeout(limit)
  const isClosed = /(^|\n)tests: \d+ passed, \d+ failed, \d+ skipped\n$/.test(lastPart)
  if (!isClosed) process.stdout.write(`\nThe run ended with ${code}.\ntests: 0 passed, 1 failed, 0 skipped\n`)
  process.exitCode = isClosed ? code : 1
})
