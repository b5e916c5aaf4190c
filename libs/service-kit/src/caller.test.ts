import { generateKeyPairSync } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { createSessionGuard } from './caller.ts'

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const startMs = Date.UTC(2026, 0, 1)
const userId = 'c56a4180-65aa-42ec-a945-5fd21dec0538'

function setUp() {
  let nowMs = startMs
  const clock = { nowMs: () => nowMs, now: () => new Date(nowMs) }
  const guard = createSessionGuard([{ kid: 'k1', pem }], clock, 'messaging')
  return { guard, pass: (ms: number) => (nowMs += ms) }
}

const iat = startMs / 1000
const signed = (claims: Record<string, unknown> = {}) =>
  `Bearer ${jwt.sign(
    {
      iss: 'auth',
      aud: 'messaging',
      sub: userId,
      sid: userId,
      admin: false,
      unlockedUntil: 0,
      signedInAt: 0,
      passwordGivenAt: 0,
      iat,
      exp: iat + 60,
      ...claims,
    },
    keys.privateKey,
    { algorithm: 'ES256', keyid: 'k1' },
  )}`

describe('a token that was verified before', () => {
  it('is valid until it expires, like a token that is verified for the first time', () => {
    const { guard, pass } = setUp()
    const token = signed()
    expect(guard.identify(token)).toMatchObject({ userId })
    pass(59_999)
    expect(guard.identify(token)).toMatchObject({ userId })
    pass(1)
    expect(guard.identify(token)).toBeNull()
    expect(setUp().guard.identify(token)).toMatchObject({ userId })
  })

  it('grants no unlocked access once its unlock has ended', () => {
    const { guard, pass } = setUp()
    const token = signed({ unlockedUntil: iat + 30 })
    expect(guard.require('unlocked', token)).toMatchObject({ userId })
    pass(30_000)
    expect(() => guard.require('unlocked', token)).toThrow('Please unlock first.')
  })

  it('has no unlock while it is locked', () => {
    expect(setUp().guard.identify(signed({ unlockedAtMs: 0 }))).toMatchObject({
      unlockedUntil: null,
      unlockedAt: null,
    })
  })

  it('says to the millisecond when the unlock began, unless an older auth has signed it', () => {
    const { guard } = setUp()
    const unlocked = { unlockedUntil: iat + 30 }
    const began = new Date(startMs - 1)
    expect(guard.require('unlocked', signed({ ...unlocked, unlockedAtMs: startMs - 1 })).unlockedAt).toEqual(
      began,
    )
    expect(guard.require('unlocked', signed(unlocked)).unlockedAt).toBeNull()
  })

  it('refuses a token with one changed character', () => {
    const { guard } = setUp()
    const token = signed()
    expect(guard.identify(token)).not.toBeNull()
    const [head, body, signature] = token.split('.') as [string, string, string]
    const forged = Buffer.from(body, 'base64url').toString().replace('"admin":false', '"admin":true')
    expect(guard.identify([head, Buffer.from(forged).toString('base64url'), signature].join('.'))).toBeNull()
  })

  it('is not verified again, not even after thousands of others', () => {
    const { guard } = setUp()
    const token = signed()
    const first = guard.identify(token)
    for (let other = 0; other < 2500; other += 1) guard.identify(signed({ unlockedUntil: other }))
    expect(guard.identify(token)).toBe(first)
  })
})

describe('the audience of a token', () => {
  it.each([
    ['this service', 'messaging', true],
    ['another service', 'billing', false],
    ['every service', ['auth', 'messaging', 'billing', 'notify'], false],
    ['no known service', 'realtime', false],
    ['nobody in particular', undefined, false],
  ])('decides who accepts it: %s', (_, aud, isAccepted) => {
    expect(setUp().guard.identify(signed({ aud })) !== null).toBe(isAccepted)
  })
})
