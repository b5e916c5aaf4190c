import { composeUser } from './compose-user.ts'
import type { Context } from '../context.ts'

const discreet = {
  id: '0b4d3a52-6a0e-4a52-9f5c-0d6c3c6a0f11',
  username: 'ann',
  isSetupComplete: true,
  silentCheck: false,
  unlockPausedUntil: null,
}
const account = {
  ...discreet,
  email: 'ann@example.com',
  phone: '+15550001234',
  fullName: 'Ann',
  userCode: 'ABCD-EFGH-7',
  isPhoneVerified: true,
  isEmailVerified: false,
  isAdmin: false,
  createdAt: '2026-11-22T12:00:00.000Z',
  unlockedUntil: null,
  isDiscreet: false,
}

/** A gateway with a working billing service; it records which services were called. */
function gateway() {
  const asked: string[] = []
  const ctx = {
    entitlementOf: () => {
      asked.push('billing')
      return Promise.resolve({ subscriptionType: 'premium', subscriptionExpiresAt: null })
    },
    quotaOf: () => {
      asked.push('messaging')
      return Promise.resolve({ dailyMessageCount: 1, lastMessageDate: null })
    },
  } as unknown as Context
  const compose = async (answer: object): Promise<unknown> =>
    JSON.parse(await composeUser(ctx, Buffer.from(JSON.stringify(answer))))
  return { compose, asked }
}

describe('the composed user', () => {
  it('is passed through unchanged when auth reduced it, and no other service is called', async () => {
    const { compose, asked } = gateway()
    expect(await compose(discreet)).toEqual(discreet)
    expect(asked).toEqual([])
  })

  it('D-18: is completed with the subscription', async () => {
    const { compose, asked } = gateway()
    expect(await compose(account)).toMatchObject({ isDiscreet: false, subscriptionType: 'premium' })
    expect(asked).toEqual(['billing'])
  })

  it('is refused when a reduced answer has an additional field', async () => {
    const { compose } = gateway()
    await expect(compose({ ...discreet, email: 'ann@example.com' })).rejects.toThrow()
  })
})
