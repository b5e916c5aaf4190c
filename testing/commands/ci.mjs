// Decides whether a change may be merged: runs `npm test` and, if it passes, `npm run test:full`. The last line has the
// summed counts, which CI reads. A command that ends without a line of counts counts as one failure.
//
//   node testing/commands/ci.mjs [--minutes N] ['COMMAND' …]
//
// It is plain JavaScript without our own imports, because it runs on any Node that exists before the packages.
import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '84' } },
})
const commands = positionals.length > 0 ? positionals : ['npm test -- --ci', 'npm run test:full -- --ci']
const closingLine = /^tests: (\d+) passed, (\d+) failed, (\d+) skipped$/
const total = [0, 0, 0]
let child
let isStopped = false
mkdirSync('artifacts', { recursive: true })
const log = createWriteStream('artifacts/ci.log')
const say = (line) => {
  log.write(`${line}\n`)
  process.stdout.write(`${line}\n`)
}

/** Ends the running command and all its processes, and starts no further one. The closing line is still printed. */
function stop(reason) {
  isStopped = true
  say(`Stopping ${reason}.`)
  signalGroup('SIGTERM')
  setTimeout(() => signalGroup('SIGKILL'), 60_000).unref()
}
function signalGroup(signal) {
  try {
    process.kill(-child.pid, signal)
  } catch {
    // The processes may have ended by themselves.
  }
}
const limit = setTimeout(() => stop(`after ${values.minutes} minutes`), Number(values.minutes) * 60_000)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(`by ${signal}`))

/** Runs a shell command, passes on its output except the closing line, and adds its counts. */
async function run(command) {
  child = spawn('bash', ['-c', command], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  let counts
  for await (const line of createInterface(child.stdout)) {
    const found = closingLine.exec(line)
    if (found) counts = found.slice(1).map(Number)
    else say(line)
  }
  const code = await ended
  if (!counts) say(`${command} ended with ${code} and without a line of counts.`)
  const [passed, failed, skipped] = counts ?? [0, 1, 0]
  const isSilent = failed === 0 && code !== 0
  for (const [index, count] of [passed, isSilent ? 1 : failed, skipped].entries()) total[index] += count
}

for (const command of commands) {
  if (total[1] === 0 && !isStopped) await run(command)
}
clearTimeout(limit)
say(`tests: ${total[0]} passed, ${total[1]} failed, ${total[2]} skipped`)
process.exitCode = total[1] > 0 ? 1 : 0
