import { randomUUID } from 'node:crypto'
import { createLogger } from '@sumlock/service-kit/logger'
import { rowsAtOnce, updateInBatches } from '@sumlock/service-kit/write-in-batches'
import { openOwnDatabase } from '@sumlock/testing/own-database'

let database: Awaited<ReturnType<typeof openOwnDatabase>>
beforeAll(async () => {
  database = await openOwnDatabase(
    'auth',
    createLogger({ service: 'test', instance: 'test', level: 'silent' }),
  )
})
afterAll(() => database?.close())

it('looks at the rows of each batch only, however many its filter finds', async () => {
  const rows = database.connection.collection<{ _id: string; one: string; other: string }>('acts')
  await rows.createIndexes([{ key: { one: 1 } }, { key: { other: 1 } }])
  const count = 6 * rowsAtOnce
  await rows.insertMany(
    Array.from({ length: count }, () => ({ _id: randomUUID(), one: 'ann', other: 'ann' })),
  )
  const filter = { $or: [{ one: 'ann' }, { other: 'ann' }] }
  await database.connection.db?.command({ profile: 2 })
  expect(await updateInBatches(rows, filter, { $set: { one: 'nobody', other: 'nobody' } })).toBe(count)
  await database.connection.db?.command({ profile: 0 })
  const updates = await database.connection
    .collection('system.profile')
    .find({ op: 'update' })
    .project<{ docsExamined: number }>({ docsExamined: 1 })
    .toArray()
  expect(updates.map(({ docsExamined }) => docsExamined)).toEqual(Array(6).fill(rowsAtOnce))
})
