import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { identityOf } from './process-identity.ts'
import { waitUntil } from '@sumlock/deployment/wait-until'

/** An empty lock file this old belongs to a process that ended between creating and filling it. */
const namelessMs = 5000

/**
 * Runs `work` while holding a lock file, so that two processes do not fetch the same engine. A lock whose owner has
 * ended is taken over. Two processes may take over at the same moment, so the work must be safe to do twice.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true })
  await waitUntil(`acquiring the lock ${path}`, () => acquire(path), { timeoutMs: 600_000, everyMs: 200 })
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

async function acquire(path: string): Promise<boolean> {
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
    // The owner released the lock.
    return false
  }
}
