import { createLogger } from '@sumlock/service-kit/logger'
import { openOwnDatabase } from '@sumlock/testing/own-database'
import type { OwnedDatabase } from '../src/database.ts'
import { endSignIns } from '../src/end-sign-ins.ts'

it('a restore ends sessions, and forgets a reset that waited, which may have been cancelled since', async () => {
  const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' })
  const { connection, close } = await openOwnDatabase('auth', logger)
  try {
    const { db } = connection
    if (!db) throw new Error('The database is not open.')
    const users = db.collection<{ _id: string; pendingReset?: object }>('users')
    const past = new Date('2026-01-01')
    const pendingReset = { dueAt: past, tryAt: past, sessionId: 's' }
    await users.insertMany([{ _id: 'ann', pendingReset }, { _id: 'ben' }])
    await db.collection('sessions').insertOne({ userId: 'ann' })
    await endSignIns([{ owner: 'auth', db } as unknown as OwnedDatabase])
    expect(await users.find().sort({ _id: 1 }).toArray()).toEqual([{ _id: 'ann' }, { _id: 'ben' }])
    expect(await db.collection('sessions').countDocuments()).toBe(0)
  } finally {
    await close()
  }
})
