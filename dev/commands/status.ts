import { parseArgs } from 'node:util'
import { identityOf } from '../processes/process-identity.ts'
import { isListening } from '../processes/ports.ts'
import { isSupervised, readRunRecord } from '../processes/run-record.ts'
import type { PartRecord } from '../processes/run-record.ts'
import { dataFolder } from '../product/product-options.ts'

// Prints how each part of the running product is. The exit code is 0 when all parts answer, so that scripts can ask too.
const { data } = parseArgs({ options: { data: { type: 'string' } } }).values
const record = readRunRecord(dataFolder(data))
if (record === null) {
  process.stdout.write('  The product is not running. To start it: npm start\n')
  process.exit(1)
}
const rows = await Promise.all(
  record.parts.map(async (part) => [
    part.name,
    `process ${part.pid}`,
    `port ${part.port}`,
    await healthOf(part),
  ]),
)
const isWell = isSupervised(record) && rows.length > 0 && rows.every((row) => row.at(-1) === 'ok')
const since = new Date(record.startedAt).toLocaleTimeString()
const lines = [
  `${record.command}, process ${record.pid}, since ${since}: ${record.url}`,
  ...rows.map((row) => row.map((cell) => cell.padEnd(16)).join('')),
  conclusion(),
]
process.stdout.write(lines.map((line) => `  ${line.trimEnd()}\n`).join(''))
process.exit(isWell ? 0 : 1)

async function healthOf({ pid, port, healthUrl }: PartRecord): Promise<string> {
  if (identityOf(pid) === null) return 'gone'
  if (healthUrl === undefined) return (await isListening(port)) ? 'ok' : 'does not listen'
  try {
    const response = await fetch(healthUrl, { signal: AbortSignal.timeout(3000) })
    return response.ok ? 'ok' : `not ready: ${await response.text()}`
  } catch {
    return 'does not answer'
  }
}

function conclusion(): string {
  if (record !== null && !isSupervised(record))
    return 'The command itself was killed. To end what it left: npm run stop'
  if (rows.length === 0) return 'It is starting.'
  return isWell ? 'All is well.' : 'Not all is well. For the log of a part: npm run logs -- <part>'
}
