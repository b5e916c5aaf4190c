import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { run } from '../processes/run.ts'
import { isSupervised, readRunRecord, runsAlready, withDataFolder } from '../processes/run-record.ts'
import { dataFolder } from '../product/product-options.ts'
import { failWith, progress } from '../product/terminal.ts'

/** The product writes these files and folders to a data folder; all others stay. */
const ours = ['mongo', 'kafka', 'redis', 's3', 'inbox', 'logs', 'mongo.key', 'secrets.json']

// Deletes accounts, messages and secrets of the local product, so that the next start begins with none.
const { data, yes } = parseArgs({
  options: { data: { type: 'string' }, yes: { type: 'boolean', default: false } },
}).values
const dataDir = dataFolder(data)
await withDataFolder(dataDir, reset).catch(failWith)

async function reset(): Promise<void> {
  const record = readRunRecord(dataDir)
  if (record && isSupervised(record)) throw new Error(runsAlready(record))
  if (record)
    throw new Error(
      'The last run was killed and may have left processes that use this data. First: npm run stop',
    )
  const present = ours.filter((name) => existsSync(join(dataDir, name)))
  if (present.length === 0) return progress(`There is nothing to delete in ${dataDir}.`)
  const sizes = await run('du', ['-sh', ...present.map((name) => join(dataDir, name))])
  progress(`Accounts, messages, media, mail, logs and secrets of the local product:\n${sizes.trimEnd()}`)
  if (!yes && !(await isConfirmed())) return progress('Nothing was deleted.')
  for (const name of present) rmSync(join(dataDir, name), { recursive: true })
  progress(`Deleted from ${dataDir}: ${present.join(', ')}.`)
}

async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new Error('There is no terminal to ask in. To delete without asking: npm run reset -- --yes')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question('  Delete all of this? Type yes: ')
  terminal.close()
  return answer.trim().toLowerCase() === 'yes'
}
