import { connect } from 'node:net'
import { grantPremium } from '@sumlock/contracts/billing-routes'
import { listConversations } from '@sumlock/contracts/messaging-routes'
import { rawRequest } from '@sumlock/testing/raw-request'
import { eventually } from '@sumlock/testing/wait'
import { startGateway as start } from './test-support/start-gateway.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function startGateway(options: Parameters<typeof start>[0] = {}) {
  const gateway = await start(options)
  closing.push(gateway.close)
  const { origin } = gateway
  const ask = async (cookie = 'mine') =>
    (await fetch(origin + listConversations.path, { headers: { cookie: `sid=${cookie}` } })).status
  /** The error code of a grant without a CSRF token, which is checked after the session. */
  const grant = async () => {
    const answer = await fetch(origin + grantPremium.path, {
      method: 'POST',
      headers: { cookie: 'sid=mine' },
    })
    return ((await answer.json()) as { code: string }).code
  }
  return { ...gateway, ask, grant }
}

describe('a remembered session', () => {
  it('is exchanged again before it is refused as locked: it may have been unlocked through another gateway', async () => {
    const { auth, ask } = await startGateway()
    expect(await ask()).toBe(423)
    auth.unlockedUntilMs = Date.now() + 60_000
    expect(await ask()).toBe(200)
  })

  it('is exchanged once while it is remembered as unlocked', async () => {
    const { auth, ask } = await startGateway()
    auth.unlockedUntilMs = Date.now() + 60_000
    expect(await ask()).toBe(200)
    expect(await ask()).toBe(200)
    expect(auth.asked).toBe(1)
  })
})

describe('an administrator', () => {
  const minuteMs = 60_000

  it('D-29: is refused while locked, and from 15 minutes after the account password was given until it is given again', async () => {
    const { auth, grant } = await startGateway()
    Object.assign(auth, { isAdmin: true, passwordGivenAtMs: Date.now() - 14 * minuteMs })
    expect(await grant()).toBe('locked')
    auth.unlockedUntilMs = Date.now() + minuteMs
    expect(await grant()).toBe('csrf_failed')
    const later = await startGateway()
    Object.assign(later.auth, { isAdmin: true, unlockedUntilMs: Date.now() + minuteMs })
    later.auth.passwordGivenAtMs = Date.now() - 15 * minuteMs
    expect(await later.grant()).toBe('step_up_required')
    later.auth.passwordGivenAtMs = Date.now()
    expect(await later.grant()).toBe('csrf_failed')
  })

  it('is asked to unlock, unlike a caller who is not an administrator', async () => {
    const { grant } = await startGateway()
    expect(await grant()).toBe('csrf_failed')
  })
})

it('serves the next request after a thousand clients disconnected during the session exchange', async () => {
  const { auth, ask, origin, open } = await startGateway()
  auth.unlockedUntilMs = Date.now() + 60_000
  const port = Number(new URL(origin).port)
  for (let batch = 0; batch < 10; batch += 1) {
    const exchange = Promise.withResolvers<void>()
    auth.answers = exchange.promise
    const clients = Array.from({ length: 100 }, (_, number) => {
      const cookie = `sid=mine-${batch}-${number}`
      const client = connect(port, '127.0.0.1').on('error', () => undefined)
      client.write(`GET ${listConversations.path} HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\n\r\n`)
      return client
    })
    await eventually(() => expect(auth.asked).toBe((batch + 1) * 100))
    for (const client of clients) client.destroy()
    await eventually(async () => expect(await open()).toBe(0))
    exchange.resolve()
  }
  expect(await ask()).toBe(200)
}, 20_000)

describe('invented session cookies', () => {
  it('are limited together before auth is asked, and a known session is not affected', async () => {
    const { auth, ask } = await startGateway({ rateLimits: 'on' })
    auth.unlockedUntilMs = Date.now() + 60_000
    expect(await ask()).toBe(200)
    const statuses: number[] = []
    // They are sent at once, because the count restarts after ten seconds.
    for (let number = 0; number < 400; number += 50) {
      const some = Array.from({ length: 50 }, (_, more) => ask(`made-up-${number + more}`))
      statuses.push(...(await Promise.all(some)))
    }
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    // Auth received no request for a refused cookie, and the confirmed session counts separately.
    expect(auth.asked).toBe(1 + statuses.filter((status) => status === 401).length)
    expect(await ask()).toBe(200)
  })
})

it('closes the connection after a 429 where it is the edge, and keeps it behind a proxy', async () => {
  const closes = async (trustedHops: number) => {
    const { origin } = await startGateway({ rateLimits: 'on', trustedHops })
    const answers: Response[] = []
    for (let number = 0; number < 350; number += 50)
      answers.push(...(await Promise.all(Array.from({ length: 50 }, () => fetch(`${origin}/api/nothing`)))))
    const named = answers.map(({ status, headers }) => `${status} ${headers.get('connection')}`)
    return [...new Set(named)].sort()
  }
  expect(await closes(0)).toEqual(['401 keep-alive', '429 close'])
  expect(await closes(1)).toEqual(['401 keep-alive', '429 keep-alive'])
})

it('limits requests to unknown routes per address', async () => {
  const { origin } = await startGateway({ rateLimits: 'on' })
  const statuses: number[] = []
  for (let number = 0; number < 400; number += 50) {
    const some = Array.from({ length: 50 }, () => fetch(`${origin}/api/nothing`))
    statuses.push(...(await Promise.all(some)).map(({ status }) => status))
  }
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
})

it.each(['//api/user', '/api%2fuser', '/a//b', '/%41', '/x/../y', `/${'a'.repeat(3000)}`])(
  'answers an address outside of the API that has two readings as one that it does not have: %s',
  async (target) => {
    const { origin } = await startGateway()
    const { status, text } = await rawRequest(origin, target)
    expect(status).toBe(404)
    expect(text).toBe('Not Found')
  },
)
