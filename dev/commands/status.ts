import { parseArgs } from 'node:util'
import { isListening } from '../processes/ports.ts'
import { isSupervised, readRunRecord } from '../processes/run-record.ts'
import type { PartRecord, RunRecord } from '../processes/run-record.ts'
import { dataFolder } from '../product/product-options.ts'

// Prints the health of each part of the running product. The exit code is 0 when all parts answer.
const { data } = parseArgs({ options: { data: { type: 'string' } } }).values
const record = readRunRecord(dataFolder(data))
if (record === null) {
  process.stdout.write('  The product is not running. To start it: npm start\n')
  process.exit(1)
}
const health = await Promise.all(record.parts.map(healthOf))
const isWell = isSupervised(record) && health.length > 0 && health.every((each) => each === 'ok')
const since = new Date(record.startedAt).toLocaleTimeString()
const lines = [
  `${record.command}, process ${record.pid}, since ${since}: ${record.url}`,
  ...record.parts.map(({ name, pid, port }, index) =>
    [name, `process ${pid}`, `port ${port}`, health[index] ?? ''].map((cell) => cell.padEnd(16)).join(''),
  ),
  conclusion(record),
]
process.stdout.write(lines.map((line) => `  ${line.trimEnd()}\n`).join(''))
process.exit(isWell ? 0 : 1)

async function healthOf({ port, healthUrl }: PartRecord): Promise<string> {
  if (healthUrl === undefined) return (await isListening(port)) ? 'ok' : 'does not listen'
  try {
    const response = await fetch(healthUrl, { signal: AbortSignal.timeout(3000) })
    return response.ok ? 'ok' : `not ready: ${await response.text()}`
  } catch {
    return 'does not answer'
  }
}

function conclusion(run: RunRecord): string {
  if (!isSupervised(run))
    return 'The command itself was killed. To end the processes it left running: npm run stop'
  if (health.length === 0) return 'It is starting.'
  return isWell ? 'All is well.' : 'Not all is well. For the log of a part: npm run logs -- <part>'
}
