import { readFile, readlink } from 'node:fs/promises'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { run } from '@sumlock/dev/processes/run'
import type { Measured } from './process-usage.ts'

/** One line about what all of it ran on. */
export function machine(): string {
  const processors = cpus()
  const load = (loadavg()[0] ?? 0).toFixed(1)
  const memory = (totalmem() / 2 ** 30).toFixed(1)
  return `${processors.length} × ${processors[0]?.model ?? 'unknown processor'}, ${memory} GiB, ${type()} ${release()}; load average before the start ${load}`
}

/** Versions of the engines that really run, as they say themselves. Linux only. */
export async function engineVersions(engines: readonly Measured[]): Promise<string> {
  const known = await Promise.all(
    engines.map(async ({ name, pid }) => `${name} ${await versionOf(name, pid)}`),
  )
  return [`Node ${process.versions.node}`, ...known].join(', ')
}

async function versionOf(name: string, pid: number): Promise<string> {
  const number = /\d+\.\d+\.\d+/
  if (name === 'kafka') return number.exec(await readFile(`/proc/${pid}/cmdline`, 'utf8'))?.[0] ?? '?'
  return number.exec(await run(await readlink(`/proc/${pid}/exe`), ['--version']))?.[0] ?? '?'
}
