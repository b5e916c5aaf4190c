import type { OverviewItem } from './overview-item.ts'

export type OverviewRow =
  { kind: 'month'; key: string; atMs: number } | { kind: 'tiles'; key: string; items: OverviewItem[] }

/** Returns the rows of the overview: a heading for each month, and its media in rows of tiles. */
export function overviewRows(items: readonly OverviewItem[], columns: number): OverviewRow[] {
  const rows: OverviewRow[] = []
  let month: string | undefined
  for (const item of items) {
    const last = rows.at(-1)
    const itsMonth = monthOf(item.atMs)
    if (itsMonth !== month) rows.push({ kind: 'month', key: itsMonth, atMs: item.atMs })
    // A new item at the front moves the others. A tile that stays in its row keeps playing.
    if (itsMonth === month && last?.kind === 'tiles' && last.items.length < columns) last.items.push(item)
    else rows.push({ kind: 'tiles', key: `${itsMonth} ${rows.length}`, items: [item] })
    month = itsMonth
  }
  return rows
}

function monthOf(atMs: number): string {
  const date = new Date(atMs)
  return `${date.getFullYear()}-${date.getMonth()}`
}
