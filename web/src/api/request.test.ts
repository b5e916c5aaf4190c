import { request } from './request.ts'

const real = globalThis.fetch
afterEach(() => {
  globalThis.fetch = real
})

it('names each call by a W3C traceparent of its own', async () => {
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
