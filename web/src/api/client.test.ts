import { jest } from '@jest/globals'
import { waitFor } from '@testing-library/react'
import { onLocked, onSignedOut, prepareChange, request, reportSignedOut, client } from '../../test/page.ts'

const real = globalThis.fetch
afterEach(() => {
  globalThis.fetch = real
})

it('request sends a W3C traceparent of its own with each call', async () => {
  const sent: (string | null)[] = []
  globalThis.fetch = (_url, init) => {
    sent.push(new Headers(init?.headers).get('traceparent'))
    return Promise.resolve(new Response('{}', { headers: { 'content-type': 'application/json' } }))
  }
  await request({ url: '/api/user' })
  await request({ url: '/api/user' })
  expect(new Set(sent).size).toBe(2)
  for (const value of sent) expect(value).toMatch(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01$/)
})

describe('the listeners of a refusal', () => {
  const heard: string[] = []
  const stops: (() => void)[] = []
  beforeEach(() => {
    heard.length = 0
    stops.push(onLocked(() => heard.push('locked')))
    stops.push(onSignedOut(() => heard.push('signed out')))
  })
  afterEach(() => {
    for (const stop of stops.splice(0)) stop()
  })
  const answerWith = (status: number) => {
    globalThis.fetch = () => Promise.resolve(new Response('{}', { status }))
  }

  it.each([
    [423, ['locked']],
    [401, ['signed out']],
    [403, []],
    [200, []],
  ])('are called after an answer with status %i: %j', async (status, expected) => {
    answerWith(status)
    await request({ url: '/api/user' })
    expect(heard).toEqual(expected)
  })

  it('are not called after a quiet call', async () => {
    answerWith(423)
    await request({ url: '/api/user', isQuiet: true })
    expect(heard).toEqual([])
  })

  it('are called when the session has ended without a call', () => {
    reportSignedOut()
    expect(heard).toEqual(['signed out'])
  })

  it('are not called after they were removed', async () => {
    for (const stop of stops) stop()
    answerWith(423)
    await request({ url: '/api/user' })
    expect(heard).toEqual([])
  })
})

it('CALL-06: request parses an answer that is JSON, and reads an empty one and any other as null', async () => {
  const json = { headers: { 'content-type': 'application/json' } }
  for (const answer of [new Response('', json), new Response('plain text')]) {
    globalThis.fetch = () => Promise.resolve(answer)
    expect(await request({ url: '/api/user' })).toEqual({ data: null })
  }
  globalThis.fetch = () => Promise.resolve(new Response('{"name":"ada"}', json))
  expect(await request({ url: '/api/user' })).toEqual({ data: { name: 'ada' } })
})

it('request sets the server clock by the date of an answer', async () => {
  const tomorrow = new Date(Date.now() + 86_400_000)
  globalThis.fetch = () => Promise.resolve(new Response('', { headers: { date: tomorrow.toUTCString() } }))
  await request({ url: '/api/user' })
  expect(client.nowMs()).toBeGreaterThan(tomorrow.getTime() - 1000)
  const now = { date: new Date().toUTCString() }
  globalThis.fetch = () => Promise.resolve(new Response('', { headers: now }))
  await request({ url: '/api/user' })
})

it.each([
  ['after the clock of the device was set back', -86_400_000, 0, 0],
  ['after the device has slept, which one of its clocks does not count', 60_000, 0, 60_000],
  ['after the device has slept, which both of its clocks count', 60_000, 60_000, 60_000],
])('the server clock goes on %s', async (_when, dateMs, steadyMs, expectedMs) => {
  const headers = { date: new Date().toUTCString() }
  globalThis.fetch = () => Promise.resolve(new Response('', { headers }))
  await request({ url: '/api/user' })
  const [before, now, steady] = [client.nowMs(), Date.now.bind(Date), performance.now.bind(performance)]
  try {
    Date.now = () => now() + dateMs
    performance.now = () => steady() + steadyMs
    expect(Math.abs(client.nowMs() - before - expectedMs)).toBeLessThan(1000)
  } finally {
    Object.assign(Date, { now })
    Object.assign(performance, { now: steady })
  }
})

it('request ends without an answer when the caller aborts it, before or during the call', async () => {
  let sent: RequestInit | undefined
  globalThis.fetch = (_url, init) => {
    sent = init
    return new Promise(() => undefined)
  }
  const noConnection = { error: { status: 0, code: 'no_connection' } }
  const early = request({ url: '/api/user' }, AbortSignal.abort())
  expect(sent?.signal?.aborted).toBe(true)
  expect(await early).toMatchObject(noConnection)
  const later = new AbortController()
  const answer = request({ url: '/api/user' }, later.signal)
  expect(sent?.signal?.aborted).toBe(false)
  later.abort()
  expect(sent?.signal?.aborted).toBe(true)
  expect(await answer).toMatchObject(noConnection)
})

describe('the time limit of a request', () => {
  let sent: RequestInit | undefined
  beforeEach(() => jest.useFakeTimers())
  afterEach(() => jest.useRealTimers())
  const never = () => {
    globalThis.fetch = (_url, init) => {
      sent = init
      return new Promise(() => undefined)
    }
  }

  it.each([
    [15_000, undefined],
    [5000, 5000],
  ])('ends it after %i ms when its option is %s', async (limitMs, timeoutMs) => {
    never()
    const answer = request({ url: '/api/user', ...(timeoutMs && { timeoutMs }) })
    jest.advanceTimersByTime(limitMs - 1)
    expect(sent?.signal?.aborted).toBe(false)
    jest.advanceTimersByTime(1)
    expect(sent?.signal?.aborted).toBe(true)
    expect(await answer).toEqual({
      error: {
        status: 0,
        code: 'no_connection',
        sentence: 'No connection. Please try again.',
        message: '0: no connection',
      },
    })
  })

  it('ends with the answer, and the signal of the caller has no effect after it', async () => {
    globalThis.fetch = (_url, init) => {
      sent = init
      return Promise.resolve(new Response('{}'))
    }
    const caller = new AbortController()
    await request({ url: '/api/user' }, caller.signal)
    expect(jest.getTimerCount()).toBe(0)
    caller.abort()
    expect(sent?.signal?.aborted).toBe(false)
  })
})

describe('the error of a refused request', () => {
  it('ERR-01: reads status, colon and body, and contains what the body and the headers say', async () => {
    const body = { error: 'Wait.', code: 'too_many', resetsAt: 'tomorrow', fields: { name: 'Too long.' } }
    const headers = { 'content-type': 'application/json', 'retry-after': '7' }
    globalThis.fetch = () => Promise.resolve(new Response(JSON.stringify(body), { status: 429, headers }))
    expect(await request({ url: '/api/user' })).toEqual({
      error: {
        status: 429,
        code: 'too_many',
        sentence: 'Wait.',
        message: `429: ${JSON.stringify(body)}`,
        resetsAt: 'tomorrow',
        fields: { name: 'Too long.' },
        retryAfterSeconds: 7,
      },
    })
  })

  it('ERR-02: reads status, colon and the text of the status when the body is empty, and no sentence', async () => {
    const headers = { 'retry-after': '0' }
    globalThis.fetch = () =>
      Promise.resolve(new Response('', { status: 502, statusText: 'Bad Gateway', headers }))
    expect(await request({ url: '/api/user' })).toEqual({
      error: {
        status: 502,
        code: 'unknown',
        message: '502: Bad Gateway',
      },
    })
  })
})

it('CALL-01 CALL-05: request always sends credentials, a body as JSON, and neither body nor type when there is nothing to send', async () => {
  const sent: (RequestInit | undefined)[] = []
  globalThis.fetch = (_url, init) => {
    sent.push(init)
    return Promise.resolve(new Response('{}'))
  }
  await request({ url: '/api/user' })
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ method: 'GET', credentials: 'include', keepalive: false })
  expect(sent[0]).not.toHaveProperty('body')
  expect(new Headers(sent[0]?.headers).get('content-type')).toBeNull()
  await request({ url: '/api/user', method: 'PUT', body: { name: 'ada' }, keepalive: true })
  expect(sent.at(-1)).toMatchObject({ method: 'PUT', body: '{"name":"ada"}', keepalive: true })
  expect(new Headers(sent.at(-1)?.headers).get('content-type')).toBe('application/json')
  await request({ url: '/api/logout', method: 'POST' })
  expect(sent.at(-1)).toMatchObject({ method: 'POST' })
  expect(sent.at(-1)).not.toHaveProperty('body')
  expect(new Headers(sent.at(-1)?.headers).get('content-type')).toBeNull()
  // There are one GET, two changes, and the token before each change.
  expect(sent.map((init) => init?.credentials)).toEqual(Array(5).fill('include'))
})

describe('the CSRF token', () => {
  const change = { url: '/api/lock', method: 'POST' } as const
  const json = { 'content-type': 'application/json' }

  it('CALL-02 CALL-03: is fetched before each call that is no GET, and sent in its header x-csrf-token', async () => {
    const sent: string[] = []
    let fetched = 0
    globalThis.fetch = (url, init) => {
      const token = new Headers(init?.headers).get('x-csrf-token')
      sent.push(`${init?.method ?? 'GET'} ${url as string} ${token}`)
      if (url === '/api/csrf-token') fetched += 1
      return Promise.resolve(new Response(JSON.stringify({ csrfToken: `token-${fetched}` })))
    }
    await request({ url: '/api/user' })
    await request(change)
    await request({ url: '/api/media', method: 'PUT' })
    expect(sent).toEqual([
      'GET /api/user null',
      'GET /api/csrf-token null',
      'POST /api/lock token-1',
      'GET /api/csrf-token null',
      'PUT /api/media token-2',
    ])
  })

  it('is fetched again, once, when the gateway refuses it', async () => {
    const sent: (string | null)[] = []
    let fetched = 0
    globalThis.fetch = (url, init) => {
      if (url === '/api/csrf-token') {
        fetched += 1
        return Promise.resolve(new Response(JSON.stringify({ csrfToken: `token ${fetched}` })))
      }
      sent.push(new Headers(init?.headers).get('x-csrf-token'))
      return Promise.resolve(new Response('{"code":"csrf_failed"}', { status: 403, headers: json }))
    }
    expect(await request(change)).toMatchObject({ error: { status: 403, code: 'csrf_failed' } })
    expect(sent).toEqual(['token 1', 'token 2'])
  })

  it('CALL-04: is missing in a change when it cannot be fetched, which is logged', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined)
    const sent: (string | null)[] = []
    const failure = new TypeError('Failed to fetch')
    globalThis.fetch = (url, init) => {
      if (url === '/api/csrf-token') return Promise.reject(failure)
      sent.push(new Headers(init?.headers).get('x-csrf-token'))
      return Promise.resolve(new Response('{"code":"forbidden"}', { status: 403, headers: json }))
    }
    expect(await request(change)).toMatchObject({ error: { code: 'forbidden' } })
    expect(sent).toEqual([null])
    expect(warn.mock.calls).toEqual([['CSRF token not fetched', failure]])
    warn.mockRestore()
  })

  it('is fetched ahead for the next change, once, and again when that failed', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined)
    const sent: string[] = []
    let fetched = 0
    let isOnline = true
    globalThis.fetch = (url, init) => {
      const token = new Headers(init?.headers).get('x-csrf-token')
      sent.push(token ?? (url as string))
      if (url !== '/api/csrf-token') return Promise.resolve(new Response('{}'))
      fetched += 1
      const answer = new Response(JSON.stringify({ csrfToken: `token-${fetched}` }))
      return isOnline ? Promise.resolve(answer) : Promise.reject(new TypeError('Failed to fetch'))
    }
    prepareChange()
    prepareChange()
    expect(sent).toEqual(['/api/csrf-token'])
    await request(change)
    await request(change)
    expect(sent).toEqual(['/api/csrf-token', 'token-1', '/api/csrf-token', 'token-2'])
    isOnline = false
    prepareChange()
    await waitFor(() => expect(warn).toHaveBeenCalled())
    isOnline = true
    await request(change)
    expect(sent.slice(4)).toEqual(['/api/csrf-token', '/api/csrf-token', 'token-4'])
    warn.mockRestore()
  })

  it('is fetched once for concurrent changes, and sent with each', async () => {
    const sent: (string | null)[] = []
    let fetched = 0
    globalThis.fetch = (url, init) => {
      if (url === '/api/csrf-token') {
        fetched += 1
        return Promise.resolve(new Response(JSON.stringify({ csrfToken: 'token' })))
      }
      sent.push(new Headers(init?.headers).get('x-csrf-token'))
      return Promise.resolve(new Response('{}'))
    }
    await Promise.all([request(change), request(change)])
    expect(fetched).toBe(1)
    expect(sent).toEqual(['token', 'token'])
  })
})
