import { parseArgs } from 'node:util'
import { endLeftovers } from '../processes/leftovers.ts'
import { isSupervised, readRunRecord, removeRunRecord } from '../processes/run-record.ts'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { dataFolder } from '../product/product-options.ts'
import { failWith, progress } from '../product/terminal.ts'

const stopTimeoutMs = 60_000

// Ends the product that runs in another terminal, in order, and what a killed one left behind.
const { data } = parseArgs({ options: { data: { type: 'string' } } }).values
const dataDir = dataFolder(data)
const record = readRunRecord(dataDir)
if (record === null) {
  progress('The product is not running.')
} else {
  if (isSupervised(record)) {
    progress(`Stopping ${record.command} (process ${record.pid}) …`)
    process.kill(record.pid, 'SIGTERM')
    await waitUntil('the stop', () => !isSupervised(record), { timeoutMs: stopTimeoutMs }).catch(() =>
      failWith(
        `Process ${record.pid} has not stopped within ${stopTimeoutMs / 1000} s. To end it by force: kill -9 ${record.pid}, then npm run stop once more.`,
      ),
    )
  } else progress(`${record.command} was killed.`)
  const count = await endLeftovers(record.mark)
  if (count > 0) progress(`Ended ${count} processes that it left running.`)
  removeRunRecord(dataDir)
  progress('It is stopped; your data is kept.')
}
