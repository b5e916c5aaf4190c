import { generateKeyPairSync } from 'node:crypto'
import { limits } from '@sumlock/contracts/limits'
import { tokenIssuer } from '@sumlock/contracts/token'
import jwt from 'jsonwebtoken'
import { createTokenSigner } from './token-signer.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const subject = { sub: 'u1', sid: 's1', admin: false, unlockedUntil: 0, signedInAt: 1_700_000_000 }
const start = new Date('2026-01-01T00:00:00.400Z')
const after = (ms: number) => new Date(start.getTime() + ms)
const verify = (token: string, at: Date) =>
  jwt.verify(token, publicKey, { algorithms: ['ES256'], clockTimestamp: Math.floor(at.getTime() / 1000) })

describe('signing tokens', () => {
  it('states the caller in a token that is valid for a minute', () => {
    const { token, expiresAt } = createTokenSigner(privateKey, 'k1')(subject, start)
    const iat = Math.floor(start.getTime() / 1000)
    const exp = iat + limits.tokenLifetimeSeconds
    expect(verify(token, start)).toEqual({ ...subject, iss: tokenIssuer, iat, exp })
    expect(expiresAt).toEqual(new Date(exp * 1000))
    expect(jwt.decode(token, { complete: true })?.header).toMatchObject({ alg: 'ES256', kid: 'k1' })
  })

  it('reuses a token until half of its lifetime has passed', () => {
    const sign = createTokenSigner(privateKey, 'k1')
    const first = sign(subject, start)
    expect(sign(subject, after(29_000))).toBe(first)
    const second = sign(subject, after(30_000))
    expect(second.token).not.toBe(first.token)
    expect(second.expiresAt.getTime() - first.expiresAt.getTime()).toBe(30_000)
  })

  it.each([
    ['unlocked', { ...subject, unlockedUntil: 1_800_000_000 }],
    ['an administrator', { ...subject, admin: true }],
    ['in another session', { ...subject, sid: 's2' }],
    ['another person', { ...subject, sub: 'u2' }],
  ])('never reuses a token for a subject that is now %s', (_, changed) => {
    const sign = createTokenSigner(privateKey, 'k1')
    sign(subject, start)
    expect(verify(sign(changed, start).token, start)).toMatchObject(changed)
  })
})
