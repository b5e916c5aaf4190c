import { jest } from '@jest/globals'
import { createLogger } from '@sumlock/service-kit/logger'
import { transact } from '@sumlock/service-kit/transact'
import { openOwnDatabase } from '@sumlock/testing/own-database'
import type { ClientSession, Connection } from 'mongoose'

const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' })

let connection: Connection
let close: () => Promise<void>
let nowMs: number
beforeAll(async () => {
  ;({ connection, close } = await openOwnDatabase('notify', logger))
  await connection.createCollection('counts')
})
beforeEach(async () => {
  nowMs = 0
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs)
  await counts().deleteMany({})
  await counts().insertOne({ _id: 'a', count: 0 })
})
afterEach(() => void jest.restoreAllMocks())
afterAll(() => close?.())

const counts = () => connection.collection<{ _id: string; count: number }>('counts')
const stored = async () => (await counts().findOne({ _id: 'a' }))?.count
const add = (number: number, session: ClientSession) =>
  counts().updateOne({ _id: 'a' }, { $inc: { count: number } }, { session })

/** A transaction that holds the row until it is ended. */
async function holdRow(): Promise<ClientSession> {
  const holder = await connection.startSession()
  holder.startTransaction()
  await add(100, holder)
  return holder
}

/** How many connections of the pool are taken, counted from now on. */
function countTaken(): () => number {
  let taken = 0
  const client = connection.getClient()
  client.on('connectionCheckedOut', () => void taken++)
  client.on('connectionCheckedIn', () => void taken--)
  return () => taken
}

it('a transaction that collides every time ends with 503 after three seconds, and keeps neither session nor connection', async () => {
  const holder = await holdRow()
  const taken = countTaken()
  const sessions: ClientSession[] = []
  const begunAt: number[] = []
  const colliding = transact(connection, async (session) => {
    sessions.push(session)
    begunAt.push(nowMs)
    nowMs += 900
    await add(1, session)
  })
  await expect(colliding).rejects.toMatchObject({ kind: 'unavailable', status: 503 })
  expect(begunAt).toEqual([0, 900, 1800, 2700])
  expect(sessions.every(({ hasEnded }) => hasEnded)).toBe(true)
  expect(taken()).toBe(0)
  await holder.abortTransaction()
  await holder.endSession()
  expect(await stored()).toBe(0)
})

it('a transaction that collides at first is done again, and stored once', async () => {
  const holder = await holdRow()
  let tries = 0
  const result = await transact(connection, async (session) => {
    if (++tries === 3) await holder.abortTransaction()
    await add(1, session)
    return 'done'
  })
  await holder.endSession()
  expect([result, tries, await stored()]).toEqual(['done', 3, 1])
})

it('an error of the work in a transaction reaches the caller after one try, and nothing is stored', async () => {
  const thrown = new Error('refused')
  let tries = 0
  const refused = transact(connection, async (session) => {
    tries += 1
    await add(1, session)
    throw thrown
  })
  await expect(refused).rejects.toBe(thrown)
  expect([tries, await stored()]).toEqual([1, 0])
})
