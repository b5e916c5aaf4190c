/** How long a backup may keep data that users have deleted since. */
export const keepDays = 90

export interface DatedBackup {
  name: string
  createdAt: Date
}

/** The backups older than `days` at `now`, but never `lastGood` nor a newer one, even if the clock is wrong. */
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
