import { statfsSync } from 'node:fs'

const inMb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

/** Free bytes for this user in a folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Throws a sentence with the remedy unless `folder` has `bytes` free. `what` says what needs them ("a first start"). */
export function requireSpace(folder: string, bytes: number, what: string): void {
  const free = freeBytes(folder)
  if (free >= bytes) return
  throw new Error(
    `The disk is too full: ${what} needs ${inMb(bytes)}, and ${folder} has ${inMb(free)} left. Free ${inMb(bytes - free)} there, then try again.`,
  )
}

/** A sentence when the disk of `folder` is almost full, which stops engines; otherwise null. */
export function diskWarning(folder: string): string | null {
  const free = freeBytes(folder)
  return free >= 100e6
    ? null
    : `The disk of ${folder} is almost full (${inMb(free)} left): free some space there.`
}
