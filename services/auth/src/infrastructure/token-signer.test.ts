import { generateKeyPairSync } from 'node:crypto'
import { limits } from '@sumlock/contracts/limits'
import { tokenAudiences, tokenIssuer } from '@sumlock/contracts/token'
import jwt from 'jsonwebtoken'
import { createTokenSigner } from './token-signer.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const subject = {
  sub: 'u1',
  sid: 's1',
  admin: false,
  unlockedUntil: 0,
  unlockedAtMs: 0,
  signedInAt: 1_700_000_000,
  passwordGivenAt: 1_700_000_000,
}
const start = new Date('2026-01-01T00:00:00.400Z')
const verify = (token: string, at: Date) =>
  jwt.verify(token, publicKey, { algorithms: ['ES256'], clockTimestamp: Math.floor(at.getTime() / 1000) })

describe('signing tokens', () => {
  it('states the caller in a token for each service that is valid for a minute', () => {
    const { tokens, expiresAt } = createTokenSigner(privateKey, 'k1').forEach(subject, start)
    const iat = Math.floor(start.getTime() / 1000)
    const exp = iat + limits.tokenLifetimeSeconds
    expect(Object.keys(tokens)).toEqual([...tokenAudiences])
    for (const aud of tokenAudiences) {
      expect(verify(tokens[aud], start)).toEqual({ ...subject, iss: tokenIssuer, aud, iat, exp })
      expect(jwt.decode(tokens[aud], { complete: true })?.header).toMatchObject({ alg: 'ES256', kid: 'k1' })
    }
    expect(expiresAt).toEqual(new Date(exp * 1000))
  })
})
