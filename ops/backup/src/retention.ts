/** How long a backup may hold what people have deleted since. */
export const keepDays = 90

export interface DatedBackup {
  name: string
  createdAt: Date
}

/**
 * The backups whose time is over: older than `days` at `now`. Never `lastGood`, and nothing newer than it, whatever
 * the clock says.
 */
export function expiredBackups<T extends DatedBackup>(
  backups: readonly T[],
  { now, lastGood, days = keepDays }: { now: Date; lastGood: DatedBackup; days?: number },
): T[] {
  const limit = now.getTime() - days * 86_400_000
  return backups.filter(
    ({ name, createdAt }) =>
      name !== lastGood.name && createdAt < lastGood.createdAt && createdAt.getTime() < limit,
  )
}
