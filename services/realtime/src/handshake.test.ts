import type { Context } from './context.ts'
import type { Identity } from './domain/identity.ts'
import { admit } from './handshake.ts'

const [ann, ben] = ['c56a4180-65aa-42ec-a945-5fd21dec0538', '9b2f5c7e-3d41-4a86-8f0b-1c2d3e4f5a6b']
const [own, foreign] = ['3f1d1c2e-0a4b-4c5d-8e6f-7a8b9c0d1e2f', '5a1d1c2e-0a4b-4c5d-8e6f-7a8b9c0d1e2f']
const nowMs = 1_000_000
const origin = 'https://calculator.example'

const sessions: Record<string, Identity> = {
  good: { sid: 's', userId: ann, unlockedUntilMs: nowMs + 1 },
  locked: { sid: 's', userId: ann, unlockedUntilMs: 0 },
  over: { sid: 's', userId: ann, unlockedUntilMs: nowMs },
}
const ctx = {
  config: { PUBLIC_ORIGINS: [origin], COOKIE_SECURE: false },
  clock: { nowMs: () => nowMs },
  logger: { warn: () => undefined },
  identify: (cookie: string) =>
    cookie === 'away' ? Promise.reject(new Error('away')) : Promise.resolve(sessions[cookie] ?? null),
  membersOf: (id: string) => Promise.resolve(id === own ? [ann, ben] : [ben]),
} as unknown as Context

const told = async (changes: Record<string, unknown> = {}) => {
  const { cookie, from, ...query } = { cookie: 'sid=good', from: origin, userId: ann, ...changes }
  const headers = { ...(from ? { origin: from } : {}), ...(cookie ? { cookie } : {}) }
  const admission = await admit(ctx, { headers, query })
  return 'refusal' in admission ? admission.refusal : admission.identity
}

describe('a handshake', () => {
  it('is taken from a session that is unlocked, for itself and a conversation of its own', async () => {
    expect(await told()).toEqual(sessions['good'])
    expect(await told({ conversationId: own })).toEqual(sessions['good'])
  })

  it.each([
    ['from another site', 'origin_refused', { from: 'https://evil.example' }],
    ['from nowhere', 'origin_refused', { from: '' }],
    ['that claims nobody', 'invalid_request', { userId: undefined }],
    ['that claims several', 'invalid_request', { userId: [ann, ben] }],
    ['without a cookie', 'no_session', { cookie: '' }],
    ['with a cookie nobody has', 'no_session', { cookie: 'sid=other' }],
    ['with a cookie beyond measure', 'no_session', { cookie: `sid=${'a'.repeat(257)}` }],
    ['of a locked session', 'locked', { cookie: 'sid=locked' }],
    ['of a session whose unlock ends now', 'locked', { cookie: 'sid=over' }],
    ['that claims to be somebody else', 'not_allowed', { userId: ben }],
    ['for a conversation of others', 'not_allowed', { conversationId: foreign }],
    ['about which nobody can say anything', 'unavailable', { cookie: 'sid=away' }],
  ])('%s is refused: %s', async (_which, refusal, changes) => {
    expect(await told(changes)).toBe(refusal)
  })
})
