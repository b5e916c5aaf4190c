import { upsertNewer } from './upsert-newer.ts'

interface Row {
  _id: string
  version: number
  name?: string
}

/** A collection with one row at most; `race` runs between an upsert that matched nothing and its insert. */
function oneRow(race: (set: (row: Row) => void) => void = () => undefined) {
  let row: Row | undefined
  let failed = 0
  const findOne = () => Promise.resolve(row ?? null)
  const updateOne = (
    filter: { _id: string; version: { $not: { $gte: number } } },
    { $set }: { $set: Omit<Row, '_id'> },
    options: { upsert?: boolean } = {},
  ) => {
    const next = { _id: filter._id, ...$set }
    if (row && row.version < filter.version.$not.$gte) row = next
    else if (options.upsert) {
      if (!row) race((other) => (row = other))
      if (row) {
        failed += 1
        return Promise.reject(Object.assign(new Error('duplicate'), { code: 11000 }))
      }
      row = next
    }
    return Promise.resolve({ modifiedCount: row === next ? 1 : 0 })
  }
  const collection = { findOne, updateOne } as unknown as Parameters<typeof upsertNewer>[0]
  return {
    save: (version: number, name: string) =>
      upsertNewer(collection, { id: 'u', field: 'version', version, update: { $set: { name } } }),
    row: () => row,
    failed: () => failed,
  }
}

describe('a projection row', () => {
  it('keeps the highest version when versions arrive in any order and twice', async () => {
    const { save, row, failed } = oneRow()
    const written: boolean[] = []
    for (const version of [2, 3, 1, 3, 2]) written.push(await save(version, `v${version}`))
    expect(row()).toEqual({ _id: 'u', version: 3, name: 'v3' })
    expect(written).toEqual([true, true, false, false, false])
    expect(failed()).toBe(0)
  })

  it('becomes the newer version although an older one was inserted at the same moment', async () => {
    const { save, row } = oneRow((set) => set({ _id: 'u', version: 1, name: 'v1' }))
    await save(2, 'v2')
    expect(row()).toEqual({ _id: 'u', version: 2, name: 'v2' })
  })

  it('stays the newer version that was inserted at the same moment', async () => {
    const { save, row } = oneRow((set) => set({ _id: 'u', version: 3, name: 'v3' }))
    await save(2, 'v2')
    expect(row()).toEqual({ _id: 'u', version: 3, name: 'v3' })
  })
})
