import { parseArgs } from 'node:util'
import { endLeftovers } from '../processes/leftovers.ts'
import { isSupervised, readRunRecord, removeRunRecord } from '../processes/run-record.ts'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { dataFolder } from '../product/product-options.ts'
import { failWith, progress } from '../product/terminal.ts'

const stopTimeoutMs = 60_000

// Ends the product that runs in another terminal, in order, and waits until it is gone.
const { data } = parseArgs({ options: { data: { type: 'string' } } }).values
const dataDir = dataFolder(data)
const record = readRunRecord(dataDir)
if (record === null) {
  progress('The product is not running.')
} else {
  if (isSupervised(record)) {
    progress(`Stopping ${record.command} (process ${record.pid}) …`)
    process.kill(record.pid, 'SIGTERM')
    await waitUntil('its end', () => !isSupervised(record), { timeoutMs: stopTimeoutMs }).catch(() =>
      failWith(
        `Process ${record.pid} goes on after ${stopTimeoutMs / 1000} s. To end it by force: kill -9 ${record.pid}, then npm run stop once more.`,
      ),
    )
  } else progress(`${record.command} was killed before.`)
  const left = await endLeftovers(record.mark)
  if (left > 0) progress(`Ended ${left} processes it left.`)
  removeRunRecord(dataDir)
  progress('It is stopped; your data is kept.')
}
