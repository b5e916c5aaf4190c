import { onLocked, onSignedOut, request, reportSignedOut } from './request.ts'

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

it('request reads an empty answer and one that is not JSON as no data', async () => {
  const json = { headers: { 'content-type': 'application/json' } }
  for (const answer of [new Response('', json), new Response('plain text')]) {
    globalThis.fetch = () => Promise.resolve(answer)
    expect(await request({ url: '/api/user' })).toEqual({ data: null })
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

describe('the CSRF token', () => {
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
    const change = { url: '/api/lock', method: 'POST' } as const
    await Promise.all([request(change), request(change)])
    expect(fetched).toBe(1)
    expect(sent).toEqual(['token', 'token'])
  })
})
