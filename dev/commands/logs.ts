import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { dataFolder } from '../product/product-options.ts'
import { failWith } from '../product/terminal.ts'

// Prints the end of all logs, or of those of the named parts (`auth` names all its instances), with the system's `tail`.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string' },
    follow: { type: 'boolean', short: 'f', default: false },
    lines: { type: 'string', short: 'n', default: '20' },
  },
})
const folder = join(dataFolder(values.data), 'logs')
const parts = positionals.length === 0 ? ['*'] : positionals
const files = parts.flatMap((part) => {
  const found = globSync([`${part}.log`, `${part}-[0-9]*.log`], { cwd: folder }).sort()
  if (found.length === 0)
    failWith(
      `There is no log of ${part} in ${folder}. There are: ${globSync('*.log', { cwd: folder }).sort().join(', ')}`,
    )
  return found
})
const follow = values.follow ? ['-F'] : []
const tail = spawn('tail', ['-n', values.lines, ...follow, ...new Set(files)], {
  cwd: folder,
  stdio: 'inherit',
})
tail.once('error', failWith)
