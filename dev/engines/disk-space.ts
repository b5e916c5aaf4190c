import { statfsSync } from 'node:fs'

const inMb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/**
 * Throws an error that says what to do unless `folder` has `bytes` free. `what` names what needs the space ("a first
 * start").
 */
export function requireSpace(folder: string, bytes: number, what: string): void {
  const free = freeBytes(folder)
  if (free >= bytes) return
  throw new Error(
    `The disk is too full: ${what} needs ${inMb(bytes)}, and ${folder} has ${inMb(free)} left. Free ${inMb(bytes - free)} there, then try again.`,
  )
}
