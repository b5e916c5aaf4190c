import { getUser, login } from '@sumlock/contracts/auth-routes'
import { grantPremium } from '@sumlock/contracts/billing-routes'
import { listConversations } from '@sumlock/contracts/messaging-routes'
import type { RouteContract } from '@sumlock/contracts/route'
import type { Context } from '../context.ts'
import type { GatewaySession } from '../infrastructure/session-cache.ts'
import { authenticate, checkAccess } from './authenticate.ts'
import type { UpstreamRequest } from './upstream-request.ts'

const nowMs = 1_800_000_000_000
const locked: GatewaySession = {
  tokens: { messaging: 't' },
  sid: 's',
  userId: 'u',
  unlockedUntilMs: 0,
  isAdmin: false,
  passwordGivenAtMs: nowMs,
  expiresAtMs: nowMs + 60_000,
}

/** Authenticates one request; `identity` is the answer of auth, `remembered` the entry of the cache before it. */
async function run(
  route: RouteContract,
  {
    identity = null,
    remembered = identity,
    sessionCookie,
  }: { identity?: GatewaySession | null; remembered?: GatewaySession | null; sessionCookie?: string } = {},
) {
  const asked: string[] = []
  const identify = (cookie: string, isEnough: (identity: GatewaySession) => boolean) => {
    asked.push(cookie)
    return Promise.resolve(remembered && isEnough(remembered) ? remembered : identity)
  }
  const noted: unknown[] = []
  const security = { note: (event: string, userId: string) => void noted.push([event, userId]) }
  const ctx = { sessions: { identify }, clock: { nowMs: () => nowMs }, security } as unknown as Context
  const request = { route, knownRoute: route, sessionCookie, identity: null } as unknown as UpstreamRequest
  let code: unknown
  try {
    await authenticate(ctx, 1)(request)
    await checkAccess(ctx)(request)
  } catch (error) {
    code = (error as { code?: unknown }).code
  }
  return { code, asked, noted, identity: request.identity }
}

describe('authentication', () => {
  it('admits a request to a public route without asking auth', async () => {
    expect(await run(login)).toMatchObject({ code: undefined, asked: [], identity: null })
    expect((await run(login, { sessionCookie: 'mine', identity: locked })).asked).toEqual([])
  })

  it('admits a webhook without asking auth, and without an identity, also with a cookie', async () => {
    const webhook = { ...login, access: 'webhook' } as const
    const admitted = await run(webhook, { sessionCookie: 'mine', identity: locked })
    expect(admitted).toMatchObject({ code: undefined, asked: [], identity: null })
  })

  it('refuses a request without a session cookie, or with one that is too long to be ours, without asking auth', async () => {
    expect(await run(getUser)).toMatchObject({ code: 'no_session', asked: [] })
    const tooLong = await run(getUser, { sessionCookie: 'a'.repeat(257), identity: locked })
    expect(tooLong).toMatchObject({ code: 'no_session', asked: [] })
    const longest = await run(getUser, { sessionCookie: 'a'.repeat(256), identity: locked })
    expect(longest.code).toBeUndefined()
  })

  it('refuses a session that auth does not know', async () => {
    expect((await run(getUser, { sessionCookie: 'mine' })).code).toBe('no_session')
  })

  it('refuses a locked session at a route for unlocked ones, and passes its identity on elsewhere', async () => {
    const session = { sessionCookie: 'mine', identity: locked }
    const refused = await run(listConversations, session)
    expect(refused).toMatchObject({ code: 'locked', noted: [['access-refused', locked.userId]] })
    expect(await run(getUser, session)).toMatchObject({ identity: locked, noted: [] })
  })

  it('refuses a request from the millisecond at which the unlock ends', async () => {
    const ending = { ...locked, unlockedUntilMs: nowMs }
    const open = { ...locked, unlockedUntilMs: nowMs + 1 }
    expect((await run(listConversations, { sessionCookie: 'mine', identity: ending })).code).toBe('locked')
    expect((await run(listConversations, { sessionCookie: 'mine', identity: open })).identity).toBe(open)
  })

  it('asks auth again when the remembered session is locked or has no role yet', async () => {
    const unlocked = { ...locked, unlockedUntilMs: nowMs + 1000 }
    const afterUnlock = { sessionCookie: 'mine', remembered: locked, identity: unlocked }
    expect((await run(listConversations, afterUnlock)).identity).toBe(unlocked)
    const admin = { ...unlocked, isAdmin: true }
    const afterGrant = { sessionCookie: 'mine', remembered: unlocked, identity: admin }
    expect((await run(grantPremium, afterGrant)).identity).toBe(admin)
  })

  it.each([listConversations, grantPremium])('uses the remembered session at $path', async (route) => {
    const remembered = { ...locked, unlockedUntilMs: nowMs + 1000, isAdmin: true }
    expect((await run(route, { sessionCookie: 'mine', remembered })).identity).toBe(remembered)
  })

  it('asks an administrator to unlock, and for the account password if that was given long ago', async () => {
    const admin = { ...locked, isAdmin: true }
    const codeOf = async (identity: GatewaySession) =>
      (await run(grantPremium, { sessionCookie: 'mine', identity })).code
    expect(await codeOf(admin)).toBe('locked')
    const unlocked = { ...admin, unlockedUntilMs: nowMs + 1000 }
    const stale = { ...unlocked, passwordGivenAtMs: 0 }
    expect(await run(grantPremium, { sessionCookie: 'mine', identity: stale })).toMatchObject({
      code: 'step_up_required',
      noted: [['step-up-refused', locked.userId]],
    })
    expect(await codeOf(unlocked)).toBeUndefined()
  })

  it('asks auth again when the remembered session has given no password lately', async () => {
    const confirmed = { ...locked, isAdmin: true, unlockedUntilMs: nowMs + 1000 }
    const remembered = { ...confirmed, passwordGivenAtMs: 0 }
    const session = { sessionCookie: 'mine', remembered, identity: confirmed }
    expect((await run(grantPremium, session)).identity).toBe(confirmed)
  })

  it('lets the service refuse a session that is not an administrator’s', async () => {
    const session = { sessionCookie: 'mine', identity: { ...locked, passwordGivenAtMs: 0 } }
    const { code, noted } = await run(grantPremium, session)
    expect(code).toBeUndefined()
    expect(noted).toEqual([['access-refused', locked.userId]])
  })
})
