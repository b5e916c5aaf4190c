import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { waitUntil } from './wait-until.ts'

/**
 * Runs `work` while holding a lock file, so that two processes that want the same engine do not both fetch it.
 * The file names its owner; one whose owner is gone is taken over.
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
    const owner = Number(await readFile(path, 'utf8').catch(() => ''))
    if (owner > 0 && !isRunning(owner)) await rm(path, { force: true })
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
