const units = [
  { name: 'hour', seconds: 3600, from: 5400 },
  { name: 'minute', seconds: 60, from: 61 },
  { name: 'second', seconds: 1, from: 0 },
] as const

/** Returns a wait in whole seconds, rounded up; at least one. */
export const waitSeconds = (waitMs: number): number => Math.max(1, Math.ceil(waitMs / 1000))

/** Returns a wait as a person reads it, rounded up: "45 seconds", "3 minutes", "2 hours". */
export function waitWords(waitMs: number): string {
  const seconds = waitSeconds(waitMs)
  const unit = units.find(({ from }) => seconds >= from) ?? units[2]
  const count = Math.ceil(seconds / unit.seconds)
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`
}
