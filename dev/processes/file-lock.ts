import { mkdir, readlink, rm, symlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { identityOf } from './process-identity.ts'

/**
 * Runs `work` while it holds a lock, so that two processes do not do it at once. A lock whose owner has ended is
 * taken over. Two processes may take it over at the same moment, so the work must be safe to do twice.
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

/** The lock is a symbolic link whose target names its owner, because a link and its target are created in one step. */
async function acquire(path: string): Promise<boolean> {
  try {
    await symlink(`${process.pid} ${identityOf(process.pid)}`, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const [, pid, identity] = /^(\d+) (.+)$/.exec(await readlink(path).catch(() => '')) ?? []
  if (pid !== undefined && identityOf(Number(pid)) !== identity) await rm(path, { force: true })
  return false
}
