import { parseArgs } from 'node:util'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { endLeftovers } from '../processes/leftovers.ts'
import { isSupervised, readRunRecord, removeRunRecord } from '../processes/run-record.ts'
import { dataFolder } from '../product/product-options.ts'
import { failWith, progress } from '../product/terminal.ts'

// Stops the product that runs in another terminal, or ends the processes that were left running when its command was
// killed.
const { data } = parseArgs({ options: { data: { type: 'string' } } }).values
const dataDir = dataFolder(data)
const record = readRunRecord(dataDir)
if (record === null) {
  progress('The product is not running.')
  process.exit(0)
}
const { command, pid, mark } = record
if (isSupervised(record)) {
  progress(`Stopping ${command} (process ${pid}) …`)
  process.kill(pid, 'SIGTERM')
  await waitUntil('the stop', () => !isSupervised(record), { timeoutMs: 60_000 }).catch(() =>
    failWith(
      `Process ${pid} has not stopped within 60 s. To end it by force: kill -9 ${pid}, then npm run stop once more.`,
    ),
  )
} else progress(`${command} was killed.`)
const count = await endLeftovers(mark)
if (count > 0) progress(`Ended ${count} processes that it left running.`)
removeRunRecord(dataDir)
progress('It is stopped; your data is kept.')
