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
}

walkMigrations('auth', { migrations, open: (opened) => (connection = opened), walked })
