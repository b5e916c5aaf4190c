import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'

const inMb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

/** Free bytes for this user at `path`, which need not exist yet. */
export function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error
    return freeBytes(dirname(path))
  }
}

/** Throws a sentence with the remedy unless `path` has `bytes` free. `what` says what needs them ("a first start"). */
export function requireSpace(path: string, bytes: number, what: string): void {
  const free = freeBytes(path)
  if (free >= bytes) return
  throw new Error(
    `The disk is too full: ${what} needs ${inMb(bytes)}, and ${path} has ${inMb(free)} left. Free ${inMb(bytes - free)} there, then try again.`,
  )
}

/** Engines stop soon below this. */
const lowBytes = 100e6

/** A sentence when the disk at `path` is full or almost full; otherwise null. */
export function diskWarning(path: string): string | null {
  const free = freeBytes(path)
  if (free >= lowBytes) return null
  return `The disk at ${path} is ${free < 5e6 ? 'full' : `almost full (${inMb(free)} left)`}: free some space there.`
}
