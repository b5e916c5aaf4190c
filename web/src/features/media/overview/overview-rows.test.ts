import type { OverviewItem } from './overview-item.ts'
import { overviewRows } from './overview-rows.ts'

const itemAt = (id: string, date: string): OverviewItem => ({
  ...{ id, type: 'image', mediaUrl: '/x', media: undefined, caption: '', sender: 'You', refusal: null },
  atMs: new Date(date).getTime(),
})
const shape = (items: OverviewItem[], columns: number) =>
  overviewRows(items, columns).map((row) =>
    row.kind === 'month' ? row.key : row.items.map(({ id }) => id).join(''),
  )

it('each month begins a row of its own, also the same month of another year', () => {
  const items = [
    itemAt('a', '2026-03-31T12:00'),
    itemAt('b', '2026-03-30T12:00'),
    itemAt('c', '2026-03-01T12:00'),
    itemAt('d', '2026-02-28T12:00'),
    itemAt('e', '2025-02-28T12:00'),
  ]
  expect(shape(items, 2)).toEqual(['2026-2', 'ab', 'c', '2026-1', 'd', '2025-1', 'e'])
  expect(shape(items, 3)).toEqual(['2026-2', 'abc', '2026-1', 'd', '2025-1', 'e'])
})

it('an item that is added at the front or at the end leaves the keys of the other rows', () => {
  const items = [itemAt('a', '2026-03-31T12:00'), itemAt('b', '2026-03-30T12:00')]
  const keys = (rows: ReturnType<typeof overviewRows>) => rows.map(({ key }) => key)
  const before = keys(overviewRows(items, 2))
  const after = keys(overviewRows([...items, itemAt('c', '2026-03-01T12:00')], 2))
  expect(after.slice(0, before.length)).toEqual(before)
  expect(new Set(after).size).toBe(after.length)
  const withNew = keys(overviewRows([itemAt('n', '2026-03-31T13:00'), ...items], 2))
  expect(withNew.slice(0, before.length)).toEqual(before)
})
