import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { dataFolder } from '../product/product-options.ts'
import { failWith } from '../product/terminal.ts'

// Prints the last lines of all logs, or of the logs of the named parts, with the system's `tail`. The name `auth`
// stands for all instances of auth.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string' },
    follow: { type: 'boolean', short: 'f', default: false },
    lines: { type: 'string', short: 'n', default: '20' },
  },
})
const cwd = join(dataFolder(values.data), 'logs')
const logsOf = (part: string) => globSync([`${part}.log`, `${part}-[0-9]*.log`], { cwd }).sort()
const files = (positionals.length === 0 ? ['*'] : positionals).flatMap((part) => {
  const found = logsOf(part)
  if (found.length === 0)
    failWith(`There is no log of ${part} in ${cwd}. There are: ${logsOf('*').join(', ')}`)
  return found
})
const follow = values.follow ? ['-F'] : []
const tail = spawn('tail', ['-n', values.lines, ...follow, ...new Set(files)], { cwd, stdio: 'inherit' })
tail.once('error', failWith)
