import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { identityOf } from './process-identity.ts'
import { waitUntil } from '@sumlock/deployment/wait-until'

/** A lock file without a name in it belongs to a process that ended between making and filling it. */
const namelessMs = 5000

/**
 * Runs `work` while holding a lock file, so that two processes that want the same engine do not both fetch it.
 * The file names its owner; one whose owner is gone is taken over. Two that take over at the same moment may both get in:
 * the lock saves work, and the work itself must stand being done twice.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true })
  await waitUntil(`the lock ${path}`, () => take(path), { timeoutMs: 600_000, everyMs: 200 })
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await writeFile(path, `${process.pid} ${identityOf(process.pid)}`, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (await isAbandoned(path)) await rm(path, { force: true })
    return false
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  try {
    const [, pid, identity] = /^(\d+) (.+)$/.exec(await readFile(path, 'utf8')) ?? []
    if (pid === undefined) return Date.now() - (await stat(path)).mtimeMs > namelessMs
    return identityOf(Number(pid)) !== identity
  } catch {
    // Released in the meantime.
    return false
  }
}
