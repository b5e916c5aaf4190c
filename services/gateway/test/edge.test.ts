import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getUser } from '@sumlock/contracts/auth-routes'
import { setupNumericPassword } from '@sumlock/contracts/lock-routes'
import { grantPremium } from '@sumlock/contracts/billing-routes'
import { startConversation } from '@sumlock/contracts/messaging-routes'
import { getOffer } from '@sumlock/contracts/subscription-routes'
import { exchangeSession } from '@sumlock/contracts/internal-routes'
import { tokenIssuer } from '@sumlock/contracts/token'
import type { TokenAudience } from '@sumlock/contracts/token'
import { freePorts } from '@sumlock/dev/processes/ports'
import { createInternalClient } from '@sumlock/service-kit/internal-client'
import { handshakeBytes } from '@sumlock/testing/bad-input/bad-handshakes'
import { registerPerson, unlockedPerson } from '@sumlock/testing/people'
import { rawExchange } from '@sumlock/testing/raw-exchange'
import { rawRequest } from '@sumlock/testing/raw-request'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { start } from '../src/start.ts'

let stack: RunningStack
let stop: Awaited<ReturnType<typeof start>>
/** Replaces billing and answers with the headers it received. */
const echo = createServer((request, response) => response.end(JSON.stringify(request.headers)))
beforeAll(async () => {
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
  const shared = await sharedStack()
  const [port = 0, internalPort = 0] = await freePorts(2)
  const gatewayUrl = `http://127.0.0.1:${port}`
  stop = await start({
    ...shared.service('gateway').environment,
    INSTANCE: 'gateway-edge',
    LOG_LEVEL: 'silent',
    PORT: String(port),
    INTERNAL_PORT: String(internalPort),
    PUBLIC_ORIGINS: gatewayUrl,
    WEB_ROOT: '',
    REALTIME_URL: undefined,
    CONTACT_SUPPORT: 'help@operator.org',
    BILLING_URL: `http://127.0.0.1:${(echo.address() as AddressInfo).port}`,
  })
  stack = { ...shared, gatewayUrl }
})
afterAll(async () => {
  await stop('the end of the tests')
  echo.close()
})

/** A token as only auth can sign it. */
function tokenFor(userId: string, aud: TokenAudience): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const iat = Math.floor(Date.now() / 1000)
  const claims = {
    iss: tokenIssuer,
    aud,
    sub: userId,
    sid: randomUUID(),
    admin: true,
    unlockedUntil: iat + 60,
    signedInAt: iat,
    passwordGivenAt: iat,
  }
  const signed = `${part({ alg: 'ES256', kid: stack.secrets.tokenKid })}.${part({ ...claims, iat, exp: iat + 60 })}`
  const key = createPrivateKey(stack.secrets.tokenPrivateKey)
  return `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

const claimsOf = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

describe('the identity of a caller', () => {
  it('CALL-11: comes from the cookie alone, despite identity headers of the browser', async () => {
    const [ann, bob] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
    const token = tokenFor(bob.user.id, 'messaging')
    const forged = {
      authorization: `Bearer ${token}`,
      'x-user-id': bob.user.id,
      'x-user_id': bob.user.id,
      'x-forwarded-user': bob.user.id,
    }
    // The token itself is valid, and the service accepts it.
    const conversations = `${stack.service('messaging').publicUrl}/api/conversations`
    expect((await fetch(conversations, { headers: forged })).status).toBe(200)

    expect((await rawRequest(stack.gatewayUrl, '/api/user', { headers: forged })).status).toBe(401)
    expect((await rawRequest(stack.gatewayUrl, '/api/conversations', { headers: forged })).status).toBe(401)
    const answer = await ann.client.raw('GET', '/api/user', { headers: forged })
    expect(await answer.json()).toMatchObject({ id: ann.user.id })
  })

  it('is proved to each service by a token that the others refuse', async () => {
    const { client } = await unlockedPerson(stack)
    const received = (await (await client.raw('GET', getOffer.path)).json()) as { authorization: string }
    const at = async (service: 'auth' | 'messaging', path: string) => {
      const { publicUrl } = stack.service(service)
      return (await fetch(publicUrl + path, { headers: { authorization: received.authorization } })).status
    }
    expect(claimsOf(received.authorization)).toMatchObject({ aud: 'billing' })
    expect(await at('messaging', '/api/conversations')).toBe(401)
    expect(await at('auth', '/api/user')).toBe(401)
    expect((await client.raw('GET', '/api/conversations')).status).toBe(200)
  })

  it('is answered to realtime without a token', async () => {
    const { client } = await unlockedPerson(stack)
    const as = (caller: 'gateway' | 'realtime') => {
      const secret = stack.secrets.internalSecrets[caller]
      return createInternalClient({ caller, secret, baseUrls: [stack.service('auth').internalUrl] })
    }
    const body = { cookie: client.cookies.get('sid') ?? '' }
    const answer = await as('realtime').call(exchangeSession, { body })
    expect(answer).toMatchObject({ userId: expect.any(String) as string })
    expect(answer).not.toHaveProperty('tokens')
    const { tokens, ...others } = await as('gateway').call(exchangeSession, { body })
    expect(Object.keys(tokens ?? {})).toEqual(['auth', 'messaging', 'billing', 'notify'])
    expect(others).not.toHaveProperty('token')
  })

  it('is forwarded without other headers of the browser', async () => {
    const { client, user } = await registerPerson(stack)
    const claims = {
      authorization: `Bearer ${tokenFor(randomUUID(), 'billing')}`,
      'x-forwarded-for': '203.0.113.7',
      ...Object.fromEntries(
        [
          'x-user-id',
          'x_user_id',
          'x-forwarded-host',
          'x-real-ip',
          'x-http-method-override',
          'traceparent',
          'tracestate',
          'baggage',
        ].map((name) => [name, 'spoofed']),
      ),
    }
    const headers = {
      ...claims,
      'content-type': 'application/json',
      'x-csrf-token': await client.csrfToken(),
    }
    const answer = await client.raw('POST', grantPremium.path, { headers, body: '{}' })
    const { authorization, ...received } = (await answer.json()) as Record<string, string>
    const [, payload = ''] = authorization?.split('.') ?? []
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      sub: user.id,
      admin: false,
    })
    expect(received).toHaveProperty('x-forwarded-for', '127.0.0.1')
    expect(Object.values(received)).not.toContain('spoofed')
    expect(received).not.toHaveProperty('cookie')
  })

  it('is not accepted from a cookie that was never issued', async () => {
    const headers = { cookie: `sid=${'a'.repeat(43)}` }
    const { status, text } = await rawRequest(stack.gatewayUrl, '/api/user', { headers })
    expect(status).toBe(401)
    expect(JSON.parse(text)).toMatchObject({ code: 'no_session' })
  })
})

describe('a request without a session', () => {
  const json = { 'content-type': 'application/json' }
  const expired = { cookie: `sid=${'a'.repeat(43)}` }
  const requests: [name: string, path: string, options: Parameters<typeof rawRequest>[2]][] = [
    ['to a known route', '/api/conversations', {}],
    ['to no route', '/api/nothing', {}],
    ['to the folder itself', '/api', {}],
    ['below a route', '/api/conversations/1/2/3', {}],
    ['with a query', '/api/nothing?before=x', {}],
    ['with an invented session', '/api/conversations', { headers: expired }],
    ['with an invented session, to no route', '/api/nothing', { headers: expired }],
    ['by a method that the route does not have', '/api/conversations', { method: 'DELETE' }],
    ['by a method that a public route does not have', '/api/login', { method: 'GET' }],
    ['by OPTIONS', '/api/conversations', { method: 'OPTIONS' }],
    [
      'that changes something, without a token',
      '/api/messages',
      { method: 'POST', headers: json, body: '{}' },
    ],
    ['from another site', '/api/lock', { method: 'POST', headers: { origin: 'https://evil.example' } }],
    ['that is cross-site', '/api/lock', { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } }],
    ['with a broken body', '/api/messages', { method: 'POST', headers: json, body: '{' }],
    ['with a body where none belongs', '/api/lock', { method: 'POST', headers: json, body: '{"a":1}' }],
    ['to no route, with a body', '/api/nothing', { method: 'POST', headers: json, body: '{}' }],
    ['with chunks', '/api/messages', { method: 'POST', headers: { 'transfer-encoding': 'chunked' } }],
    ['to a stream without a length', '/api/objects/upload/x', { method: 'PUT' }],
  ]

  it('gets one and the same 401, whatever its route, method, origin or body', async () => {
    const answers = new Map<string, string[]>()
    for (const [name, path, options] of requests) {
      const { status, headers, text } = await rawRequest(stack.gatewayUrl, path, options)
      const { 'x-request-id': requestId, date: _date, ...same } = headers as Record<string, string>
      const answer = JSON.stringify({ status, headers: same, text: text.replace(requestId ?? '', '') })
      answers.set(answer, [...(answers.get(answer) ?? []), name])
    }
    expect([...answers.keys()].map((answer) => (JSON.parse(answer) as { status: number }).status)).toEqual([
      401,
    ])
    expect([...answers.values()]).toHaveLength(1)
  })

  it('gets the 401 before a body that is too large, or that never arrives, is read', async () => {
    const headers = { ...json, 'content-length': String(50_000_000) }
    const { status, text } = await rawRequest(stack.gatewayUrl, '/api/messages', { method: 'POST', headers })
    expect(status).toBe(401)
    expect(JSON.parse(text)).toMatchObject({ code: 'no_session' })
  })

  it('gets the 401 beyond the limit of a route, too', async () => {
    const statuses = new Set<number>()
    for (let count = 0; count < 30; count += 1)
      statuses.add((await rawRequest(stack.gatewayUrl, '/api/reset-app', { method: 'POST' })).status)
    expect(statuses).toEqual(new Set([401]))
  })

  it('LEGAL-06: reads where to write to the operator, as the settings say', async () => {
    const { status, text } = await rawRequest(stack.gatewayUrl, '/contacts.json')
    expect(status).toBe(200)
    expect(JSON.parse(text)).toEqual({
      support: 'help@operator.org',
      privacy: 'privacy@calculator.example',
      legal: 'legal@calculator.example',
    })
  })

  it('gets one plain 404 outside of /api', async () => {
    for (const path of ['/robots.txt', '/favicon.ico', '/assets/a-1.js.map', '/internal/session-token']) {
      const { status, headers, text } = await rawRequest(stack.gatewayUrl, path)
      expect({ path, status, text }).toEqual({ path, status: 404, text: 'Not Found' })
      expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    }
  })
})

describe('a changing request', () => {
  const body = JSON.stringify({ numericPassword: '1357' })
  const json = { 'content-type': 'application/json' }

  it.each([
    ['without a token', 'csrf_failed', () => Promise.resolve({})],
    [
      'with an invented token',
      'csrf_failed',
      () => Promise.resolve({ 'x-csrf-token': `${'a'.repeat(64)}.b` }),
    ],
    [
      'with the token of another session',
      'csrf_failed',
      async () => ({ 'x-csrf-token': await (await registerPerson(stack)).client.csrfToken() }),
    ],
    [
      'from another site',
      'origin_refused',
      (own: () => Promise<string>) =>
        own().then((token) => ({ 'x-csrf-token': token, origin: 'https://evil.example' })),
    ],
    [
      'that the browser calls cross-site',
      'origin_refused',
      (own: () => Promise<string>) =>
        own().then((token) => ({ 'x-csrf-token': token, 'sec-fetch-site': 'cross-site' })),
    ],
  ])('%s is refused and changes nothing', async (_case, code, headersOf) => {
    const { client } = await registerPerson(stack)
    const headers = { ...json, ...(await headersOf(() => client.csrfToken())) }
    const answer = await client.raw('POST', setupNumericPassword.path, { headers, body })
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ code })
    expect(await client.ok(getUser)).toMatchObject({ isSetupComplete: false })
    await client.ok(setupNumericPassword, { body: { numericPassword: '1357' } })
    expect(await client.ok(getUser)).toMatchObject({ isSetupComplete: true })
  })

  it('without a token is refused for login, too, before any sign-in', async () => {
    const credentials = JSON.stringify({ username: 'x', password: 'y' })
    const { status, text } = await rawRequest(stack.gatewayUrl, '/api/login', {
      method: 'POST',
      body: credentials,
      headers: json,
    })
    expect(status).toBe(403)
    expect(JSON.parse(text)).toMatchObject({ code: 'csrf_failed' })
  })
})

describe('a path with two readings', () => {
  it.each(['/api//user', '/api/%2e%2e/x', '/api/../api/user', '/api/user%00'])(
    'is refused: %s',
    async (target) => {
      const { status, text } = await rawRequest(stack.gatewayUrl, target)
      expect(status).toBe(400)
      expect(JSON.parse(text)).toMatchObject({ code: 'bad_path' })
    },
  )

  it.each(['//api/user', '/api\\user', '/api%2fuser', 'http://elsewhere.example/api/user'])(
    'is nothing outside of the API: %s',
    async (target) => {
      const { status, text } = await rawRequest(stack.gatewayUrl, target)
      expect(status).toBe(404)
      expect(text).toBe('Not Found')
    },
  )

  it('never reaches an internal route, nor does an unknown path', async () => {
    const person = await unlockedPerson(stack)
    for (const path of [
      '/internal/session-token',
      '/api/internal/session-token',
      '/metrics',
      '/readyz',
      '/livez',
    ]) {
      expect([path, (await person.client.raw('GET', path)).status]).toEqual([path, 404])
    }
    const unknown = await person.client.call(
      { ...startConversation, path: '/api/nothing' },
      { body: { userCode: 'x' } },
    )
    expect(unknown.status).toBe(404)
    expect(unknown.body).toMatchObject({ code: 'not_found' })
  })
})

it('has no sockets where what stands in front leads them to realtime itself', async () => {
  const { statuses } = await rawExchange(stack.gatewayUrl, handshakeBytes('/ws/', {}), {
    withinMs: 5000,
    until: /^HTTP/,
  })
  expect(statuses).toEqual([404])
})
