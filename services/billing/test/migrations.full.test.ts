import { randomUUID } from 'node:crypto'
import { walkMigrations } from '@sumlock/testing/walk-migrations'
import type { Connection } from 'mongoose'
import { migrations } from '../src/migrations.ts'

const count = 6000
let connection: Connection
const accounts = () => connection.collection<{ _id: string }>('accounts')
const gifts = () => connection.collection<{ _id: string }>('subscription_gifts')

walkMigrations('billing', {
  migrations,
  open: (opened) => (connection = opened),
  walked: {
    '0003-ended-gifts-forget': {
      insert: () =>
        gifts().insertMany(
          Array.from({ length: count }, (_, index) => ({
            _id: randomUUID(),
            status: index < 10 ? 'sent' : 'redeemed',
            recipientEmail: 'ann@example.com',
            giftMessage: 'Dear Ann',
          })),
        ),
      async verify() {
        expect(await gifts().countDocuments({ recipientEmail: { $exists: true } })).toBe(10)
        expect(await gifts().countDocuments({ giftMessage: { $exists: true } })).toBe(10)
        expect(await gifts().countDocuments({ giftMessage: 'Dear Ann', status: 'sent' })).toBe(10)
        expect(await gifts().countDocuments()).toBe(count)
      },
    },
    '0005-disputed-gifts-expire': {
      insert: () =>
        gifts().insertMany(
          Array.from({ length: count }, (_, index) => ({
            _id: randomUUID(),
            status: index < 10 ? 'created' : 'disputed',
            createdAt: new Date('2026-01-01T00:00:00Z'),
            paidAt: null,
            expiresAt: null,
          })),
        ),
      async verify() {
        const expiresAt = new Date('2027-01-01T00:00:00Z')
        expect(await gifts().countDocuments({ status: 'disputed', expiresAt })).toBe(count - 10)
        expect(await gifts().countDocuments({ status: 'created', expiresAt: null })).toBe(10)
      },
    },
    '0006-changed-at-of-every-account': {
      insert: () =>
        accounts().insertMany(
          Array.from({ length: count }, (_, index) => ({
            ...{ _id: randomUUID(), version: 1 },
            ...(index < 10 ? { changedAt: new Date(5) } : {}),
          })),
        ),
      async verify() {
        expect(await accounts().countDocuments({ changedAt: new Date(5) })).toBe(10)
        expect(await accounts().countDocuments({ changedAt: new Date(0) })).toBe(count - 10)
      },
    },
  },
})
