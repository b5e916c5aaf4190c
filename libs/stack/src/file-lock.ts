import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { waitUntil } from './wait-until.ts'

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
    await writeFile(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (await isAbandoned(path)) await rm(path, { force: true })
    return false
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  try {
    const owner = Number(await readFile(path, 'utf8'))
    return owner > 0 ? !isRunning(owner) : Date.now() - (await stat(path)).mtimeMs > namelessMs
  } catch {
    // Released in the meantime.
    return false
  }
}

/** Whether a process with this id exists. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
