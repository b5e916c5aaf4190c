import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { askProbe } from '../engines/probe.ts'
import { identityOf } from '../processes/process-identity.ts'
import { isSupervised, readRunRecord } from '../processes/run-record.ts'
import type { PartRecord, RunRecord } from '../processes/run-record.ts'
import { dataFolder } from '../product/product-options.ts'

// Prints how each part of the running product is; exit code 0 when all is well, so that scripts can ask too.
const { data, json } = parseArgs({
  options: { data: { type: 'string' }, json: { type: 'boolean', default: false } },
}).values
const record = readRunRecord(dataFolder(data))
if (record === null) {
  process.stdout.write(json ? '[]\n' : '  The product is not running. To start it: npm start\n')
  process.exit(1)
}
const supervised = isSupervised(record)
const parts = await Promise.all(record.parts.map(look))
const isWell = supervised && parts.length > 0 && parts.every(({ health }) => health === 'ok')
process.stdout.write(json ? `${JSON.stringify(parts)}\n` : page(record))
process.exit(isWell ? 0 : 1)

async function look({ name, pid, since, restarts, state, probe }: PartRecord) {
  // With a full disk the record may be behind.
  const isThere = pid !== null && identityOf(pid) !== null
  const health = state === 'restarting' ? state : isThere ? await askProbe(probe) : 'gone'
  return {
    name,
    pid,
    since,
    restarts,
    port: probe.port,
    health,
    residentMib: pid === null ? null : residentMib(pid),
  }
}

/** Of one process, in MiB; null where the system does not show it. */
function residentMib(pid: number): number | null {
  try {
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
  } catch {
    return null
  }
}

function page({ command, pid, url, startedAt }: RunRecord): string {
  const head = ['part', 'process', 'since', 'restarts', 'port', 'health', 'memory']
  const rows = parts.map((part) => [
    part.name,
    String(part.pid ?? '–'),
    new Date(part.since).toLocaleTimeString(),
    String(part.restarts),
    String(part.port),
    part.health,
    part.residentMib === null ? '–' : `${part.residentMib} MiB`,
  ])
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] as string).length)),
  )
  const lines = [head, ...rows].map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column] as number)).join('  '),
  )
  const what = !supervised
    ? `The process that looks after it is gone; npm start or npm run stop clears up.`
    : parts.length === 0
      ? 'It is starting.'
      : isWell
        ? 'All is well.'
        : 'Not all is well: npm run logs -- <part> says more.'
  const since = new Date(startedAt).toLocaleTimeString()
  return [`${command}, process ${pid}, since ${since}: ${url}`, '', ...lines, '', what, '']
    .map((line) => `  ${line}`.trimEnd())
    .join('\n')
}
