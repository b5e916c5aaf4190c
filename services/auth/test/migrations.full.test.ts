import { randomUUID } from 'node:crypto'
import { manyRows } from '@sumlock/testing/config'
import { walkMigrations } from '@sumlock/testing/walk-migrations'
import type { WalkedMigration } from '@sumlock/testing/walk-migrations'
import type { Connection } from 'mongoose'
import { migrations } from '../src/migrations.ts'

const count = manyRows.count

let connection: Connection
const rowsOf = (name: string) => connection.collection<{ _id: string }>(name)
const pausedUntil = new Date('2026-11-01T00:00:00Z')

const walked: Record<string, WalkedMigration> = {
  '0002-session-changes': {
    async insert() {
      await rowsOf('users').insertOne({ _id: 'admin', isAdmin: true } as never)
      const rows = Array.from({ length: count }, (_, index) => ({
        _id: randomUUID(),
        userId: index < 10 ? 'admin' : `person ${index}`,
        ...(index % 100 === 50 ? { isAdmin: true } : {}),
      }))
      await rowsOf('sessions').insertMany(rows)
    },
    async verify() {
      const sessions = rowsOf('sessions')
      expect(await sessions.countDocuments({ isAdmin: { $exists: false } })).toBe(10)
      expect(await sessions.countDocuments({ userId: 'admin', isAdmin: { $exists: false } })).toBe(10)
      expect(await sessions.countDocuments({ isAdmin: true })).toBe(count / 100)
      expect(await sessions.countDocuments({ isAdmin: false })).toBe(count - count / 100 - 10)
    },
  },
  '0004-unlock-budgets': {
    async insert() {
      await rowsOf('users').deleteMany({})
      const rows = Array.from({ length: count }, (_, index) => ({
        _id: `person ${index}`,
        explicitFailures: index % 3,
        ...(index % 3 === 2 ? { pausedUntil } : {}),
      }))
      await rowsOf('users').insertMany(rows)
      await rowsOf('unlock_budgets').insertOne({ _id: 'person 1', explicit: 9 } as never)
    },
    async verify() {
      const budgets = rowsOf('unlock_budgets')
      expect(await budgets.countDocuments()).toBe((count * 2) / 3)
      expect(await budgets.findOne({ _id: 'person 1' })).toEqual({ _id: 'person 1', explicit: 9 })
      expect(await budgets.countDocuments({ explicit: 2, wrongEntries: 2, pausedUntil })).toBe(count / 3)
      expect(await budgets.findOne({ _id: 'person 4' })).toEqual({
        _id: 'person 4',
        version: 1,
        day: expect.any(Number),
        explicit: 1,
        pausedUntil: null,
        soft: 0,
        softSpentAt: null,
        wrongEntries: 1,
        turn: { freeAt: new Date(0), lastSessionId: null, reservedFor: null },
        sessions: {},
      })
    },
  },
  '0017-one-shape': {
    async insert() {
      for (const name of ['users', 'unlock_budgets', 'sessions', 'mail_links'])
        await rowsOf(name).deleteMany({})
      await rowsOf('access_log').insertOne({ _id: 'seen' })
      const rows = Array.from({ length: count }, (_, index) => ({ _id: `person ${index}`, index }))
      await rowsOf('users').insertMany(
        rows.map(({ _id, index }) => ({
          ...{ _id, explicitFailures: 0, pausedUntil, softDay: null, softFailures: 0, lastSoftFailure: 'x' },
          ...(index % 2
            ? { pinHash: 'former', pinMac: 'mac', pinVersion: 3, isDiscreet: true }
            : { pinHash: null }),
        })),
      )
      const own = { soft: 2, explicitlyUnlockedAt: pausedUntil }
      await rowsOf('unlock_budgets').insertMany(
        rows.map(({ _id, index }) => ({
          ...{ _id, softSpentAt: null },
          sessions: index % 2 ? { own, other: { ...own, softOfDay: 1 } } : {},
        })),
      )
      await rowsOf('sessions').insertMany(
        rows.map(({ _id, index }) => ({ _id, ...(index % 2 ? { idleEndsAt: pausedUntil } : {}) })),
      )
      await rowsOf('mail_links').insertMany(
        rows.map(({ _id, index }) => ({ _id: `verify-email:${_id}${index % 2 ? ':1' : ''}` })),
      )
    },
    async verify() {
      const users = rowsOf('users')
      expect(await users.findOne({ _id: 'person 0' })).toEqual({
        ...{ _id: 'person 0', pinMac: null, pinVersion: 0, isDiscreet: false },
      })
      expect(await users.findOne({ _id: 'person 1' })).toEqual({
        ...{ _id: 'person 1', pinMac: 'mac', pinVersion: 3, isDiscreet: true },
      })
      expect(await users.countDocuments({ softFailures: { $exists: true } })).toBe(0)
      const budgets = rowsOf('unlock_budgets')
      expect(await budgets.findOne({ _id: 'person 0' })).toEqual({ _id: 'person 0', sessions: {} })
      expect(await budgets.findOne({ _id: 'person 1' })).toEqual({
        _id: 'person 1',
        sessions: { own: { soft: 2, softOfDay: 0 }, other: { soft: 2, softOfDay: 1 } },
      })
      expect(await budgets.countDocuments({ 'sessions.own.explicitlyUnlockedAt': { $exists: true } })).toBe(0)
      expect(await rowsOf('sessions').countDocuments()).toBe(count / 2)
      expect(await rowsOf('mail_links').countDocuments({ _id: /:1$/ as never })).toBe(count / 2)
      expect(await rowsOf('mail_links').countDocuments()).toBe(count / 2)
      expect(await connection.listCollections()).not.toContainEqual(
        expect.objectContaining({ name: 'access_log' }),
      )
    },
  },
}

walkMigrations('auth', { migrations, open: (opened) => (connection = opened), walked })

it('the migration 0017-one-shape stops at a number that has no MAC, and changes nothing', async () => {
  await rowsOf('users').insertOne({ _id: 'former', pinHash: 'bcrypt', pinMac: null, softDay: null } as never)
  const oneShape = migrations.find(({ id }) => id === '0017-one-shape')
  await expect(oneShape?.up(connection)).rejects.toThrow(
    'The number of account former is stored only as a bcrypt',
  )
  expect(await rowsOf('users').countDocuments({ softDay: null, pinHash: 'bcrypt' })).toBe(1)
})
