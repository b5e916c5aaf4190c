import { createReadStream, readdirSync, watch } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { lastLines, sizeOf } from '../processes/log-tail.ts'
import { dataFolder } from '../product/product-options.ts'
import { failWith } from '../product/terminal.ts'

// Prints the end of each log, or of the named parts' only, and with --follow what is added from then on.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string' },
    follow: { type: 'boolean', short: 'f', default: false },
    lines: { type: 'string', short: 'n', default: '20' },
  },
})
const folder = join(dataFolder(values.data), 'logs')
const all = logsIn(folder)
const chosen = positionals.length === 0 ? all : positionals.flatMap((part) => named(part))
const prefix = (name: string) =>
  chosen.length === 1 ? '' : `${name.padEnd(Math.max(...chosen.map((n) => n.length)))} | `

const positions = new Map(chosen.map((name) => [name, sizeOf(fileOf(name))]))
for (const name of chosen) {
  for (const line of lastLines(fileOf(name), Number(values.lines)))
    process.stdout.write(`${prefix(name)}${line}\n`)
}
if (values.follow) {
  watch(folder, (_, file) => {
    const name = file === null ? undefined : basename(file, '.log')
    if (name !== undefined && positions.has(name)) void printNew(name)
  })
}

function fileOf(name: string): string {
  return join(folder, `${name}.log`)
}

function logsIn(path: string): string[] {
  try {
    return readdirSync(path)
      .filter((file) => file.endsWith('.log'))
      .map((file) => basename(file, '.log'))
      .sort()
  } catch {
    failWith(`There are no logs in ${path} yet: npm start makes them.`)
  }
}

/** `auth` means all its instances. */
function named(part: string): string[] {
  const found = all.filter((name) => name === part || name.replace(/-\d+$/, '') === part)
  if (found.length === 0) failWith(`There is no part called ${part}. There are: ${all.join(', ')}`)
  return found
}

/** Whole lines only; the rest comes with the next change. */
async function printNew(name: string): Promise<void> {
  const size = sizeOf(fileOf(name))
  const from = positions.get(name) ?? 0
  // A log that was set aside begins anew.
  const start = size < from ? 0 : from
  positions.set(name, size)
  if (size === start) return
  const chunks: Buffer[] = []
  for await (const chunk of createReadStream(fileOf(name), { start, end: size - 1 }) as AsyncIterable<Buffer>)
    chunks.push(chunk)
  const text = Buffer.concat(chunks)
  const end = text.lastIndexOf('\n') + 1
  positions.set(name, Math.max(positions.get(name) ?? 0, start) - (text.length - end))
  for (const line of text.toString('utf8', 0, end).split('\n').slice(0, -1))
    process.stdout.write(`${prefix(name)}${line}\n`)
}
