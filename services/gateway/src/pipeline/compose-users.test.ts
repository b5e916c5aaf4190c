import type { Context } from '../context.ts'
import { composeUsers } from './compose-users.ts'

const account = {
  id: '0b4d3a52-6a0e-4a52-9f5c-0d6c3c6a0f11',
  username: 'ann',
  email: 'ann@example.com',
  phone: '',
  fullName: 'Ann',
  userCode: 'ABCD-EFGH-7',
  isPhoneVerified: false,
  isAdmin: false,
  createdAt: '2026-11-22T12:00:00.000Z',
  suspendedAt: null,
}
const entitlement = { subscriptionType: 'free', subscriptionExpiresAt: null }
const activity = { dailyMessageCount: 0, conversations: [] }

function gateway(parts: Partial<Record<'entitlementsOf' | 'activitiesOf', () => Promise<unknown[]>>> = {}) {
  const calls: unknown[] = []
  const answer = (given: unknown) => (ids: readonly string[], adminId?: string) => {
    calls.push(adminId === undefined ? ids : [adminId, ...ids])
    return Promise.resolve(ids.map(() => given))
  }
  const ctx = { entitlementsOf: answer(entitlement), activitiesOf: answer(activity), ...parts }
  const compose = async (accounts: object[]): Promise<unknown> =>
    JSON.parse(
      await composeUsers(ctx as unknown as Context, Buffer.from(JSON.stringify(accounts)), 'the admin'),
    )
  return { compose, calls }
}

describe('the composed list of users', () => {
  it('takes one call to each service for a page, and shows a person without a phone', async () => {
    const { compose, calls } = gateway()
    const other = { ...account, id: '0b4d3a52-6a0e-4a52-9f5c-0d6c3c6a0f12' }
    expect(await compose([account, other])).toEqual(
      [account, other].map((one) => ({ ...one, ...entitlement, ...activity })),
    )
    expect(calls).toEqual([
      [account.id, other.id],
      ['the admin', account.id, other.id],
    ])
  })

  it.each(['entitlementsOf', 'activitiesOf'] as const)('is not made up while %s fails', async (part) => {
    const { compose } = gateway({ [part]: () => Promise.reject(new Error('no answer')) })
    await expect(compose([account])).rejects.toThrow('no answer')
  })
})
