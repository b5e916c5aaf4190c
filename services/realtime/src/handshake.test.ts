import type { SocketSession } from './domain/socket-session.ts'
import { createInvalidationLog } from './infrastructure/invalidation-log.ts'
import { admit } from './handshake.ts'
import type { HandshakeContext } from './handshake.ts'

const [ann, ben] = ['c56a4180-65aa-42ec-a945-5fd21dec0538', '9b2f5c7e-3d41-4a86-8f0b-1c2d3e4f5a6b']
const [own, foreign] = ['3f1d1c2e-0a4b-4c5d-8e6f-7a8b9c0d1e2f', '5a1d1c2e-0a4b-4c5d-8e6f-7a8b9c0d1e2f']
const nowMs = 1_000_000
const unlocked: SocketSession = { sid: 's', userId: ann, unlockedUntilMs: nowMs + 1, askedAtMs: nowMs }

/** A handshake of Ann's unlocked session; the sessions in `since` are invalidated between upgrade and handshake. */
async function told(
  query: Record<string, unknown> = {},
  {
    identity = unlocked,
    since = [],
    present = () => Promise.resolve(unlocked),
    isMember = (id: string, userId: string) => Promise.resolve(id === own || userId === ben),
  }: {
    identity?: SocketSession
    since?: string[]
    present?: () => Promise<SocketSession | null>
    isMember?: HandshakeContext['isMember']
  } = {},
) {
  const invalidations = createInvalidationLog()
  const upgrade = { identity, cookie: 'cookie', position: invalidations.position() }
  for (const sid of since) invalidations.add(sid)
  const logger = { warn: () => undefined } as unknown as HandshakeContext['logger']
  const clock = { nowMs: () => nowMs, now: () => new Date(nowMs) }
  const admission = await admit({ clock, logger, invalidations, identify: present, isMember }, upgrade, {
    userId: ann,
    ...query,
  })
  return 'refusal' in admission ? admission.refusal : admission.upgrade.identity
}

describe('a handshake', () => {
  it('D-39: is accepted from an unlocked session, with and without a conversation of its person', async () => {
    expect(await told()).toEqual(unlocked)
    expect(await told({ conversationId: own })).toEqual(unlocked)
  })

  it.each([
    ['that claims no person', 'invalid_request', { userId: undefined }],
    ['that claims several people', 'invalid_request', { userId: [ann, ben] }],
    ['that claims another user id', 'not_allowed', { userId: ben }],
    ['for a conversation of others', 'not_allowed', { conversationId: foreign }],
  ])('%s is refused: %s', async (_which, refusal, query) => {
    expect(await told(query)).toBe(refusal)
  })

  it.each([
    ['of a locked session', 0],
    ['of a session whose unlock ends now', nowMs],
  ])('%s is refused: locked', async (_which, unlockedUntilMs) => {
    expect(await told({}, { identity: { ...unlocked, unlockedUntilMs } })).toBe('locked')
  })

  it('is refused as unavailable while messaging cannot say who is a member', async () => {
    const isMember = () => Promise.reject(new Error('messaging is away'))
    expect(await told({ conversationId: own }, { isMember })).toBe('unavailable')
  })
})

describe('a handshake of a session that was invalidated since the upgrade', () => {
  const locked = () => Promise.resolve({ ...unlocked, unlockedUntilMs: 0 })

  it('is decided by a new answer of auth', async () => {
    expect(await told({}, { since: ['s'], present: locked })).toBe('locked')
    expect(await told({}, { since: ['s'], present: () => Promise.resolve(null) })).toBe('no_session')
    expect(await told({}, { since: ['s'] })).toEqual(unlocked)
  })

  it('is refused as unavailable when auth does not answer', async () => {
    const present = () => Promise.reject(new Error('auth is away'))
    expect(await told({}, { since: ['s'], present })).toBe('unavailable')
  })

  it('does not ask auth when another session was invalidated', async () => {
    expect(await told({}, { since: ['other'], present: locked })).toEqual(unlocked)
  })
})
