import { limits } from '@sumlock/contracts/limits'
import type { VanishMs } from '@sumlock/contracts/primitives'

const units = [
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** Returns a time such as "30 seconds", "1 day" or "4 weeks". */
export const timeName = (ms: VanishMs): string =>
  counted(ms, units.find(([, unitMs]) => ms >= unitMs) ?? units[4])

/** Returns how much of a time is left, such as "3 hours left"; a started minute counts. */
export function leftText(ms: number): string {
  if (ms < 60_000) return 'less than a minute left'
  return `${counted(ms, units.find(([, unitMs]) => ms >= unitMs) ?? units[3])} left`
}

/** Returns how much of a time is left in short, such as "3h". */
export function shortLeft(ms: number): string {
  const [name, unitMs] = units.find(([, size]) => ms >= size) ?? units[4]
  return `${Math.floor(ms / unitMs)}${name.slice(0, 1)}`
}

function counted(ms: number, [name, unitMs]: (typeof units)[number]): string {
  const count = Math.floor(ms / unitMs)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

/** A message can vanish after these times; null means that it stays. */
export const timerChoices: readonly (VanishMs | null)[] = [null, ...limits.vanishTimesMs]
