import { getUser } from '@sumlock/contracts/auth-routes'
import { getCsrfToken } from '@sumlock/contracts/gateway-routes'
import type { Access } from '@sumlock/contracts/route'
import { AppError } from '@sumlock/service-kit/app-error'
import type { CookieOptions, Request, Response } from 'express'
import type { Config } from '../config.ts'
import { checkCsrf, createCsrfGuard, issueCsrfToken } from './csrf.ts'
import type { UpstreamRequest } from './upstream-request.ts'

const config = { COOKIE_SECURE: false, CSRF_SECRET: 'x'.repeat(32), PUBLIC_ORIGINS: [] } as unknown as Config
const guard = createCsrfGuard(config)

/** A browser with these cookies: it stores new ones and sends the token that belongs to them. */
function askForToken(cookies: Record<string, string>) {
  const kept = { ...cookies }
  const request = { headers: {}, cookies: kept } as unknown as Request
  const given: string[] = []
  const response = {
    append: (_name: string, cookie: string) => given.push(cookie),
    cookie: (name: string, value: string, options: CookieOptions) => {
      expect(options).toMatchObject({ httpOnly: true, sameSite: 'lax', path: '/' })
      kept[name] = value
    },
  } as unknown as Response
  request.headers['x-csrf-token'] = guard.issue(request, response)
  return { request, given, kept }
}

it('accepts the CSRF token of a pre-session cookie that it issued', () => {
  const { request, given } = askForToken({})
  expect(given).toEqual([expect.stringMatching(/^pre=[\w-]{43};/)])
  expect(() => guard.check(request)).not.toThrow()
})

it.each(['sid', 'pre'])('issues a new pre-session cookie to a browser with an over-long %s', (name) => {
  const { request, given } = askForToken({ [name]: 'a'.repeat(14_000) })
  expect(given).toEqual([expect.stringMatching(/^pre=[\w-]{43};/)])
  expect(() => guard.check(request)).not.toThrow()
})

it.each([
  [64, 0],
  [65, 1],
])('issues to a browser with a session cookie of %i characters %i pre-session cookies', (length, count) => {
  expect(askForToken({ sid: 'a'.repeat(length) }).given).toHaveLength(count)
})

it('answers only its own route with a token', async () => {
  const answers: unknown[] = []
  const stage = issueCsrfToken({ issue: () => 'token', check: () => undefined })
  const response = { json: (answer: unknown) => answers.push(answer) }
  await stage({ route: getUser, response } as unknown as UpstreamRequest)
  expect(answers).toEqual([])
  await stage({ route: getCsrfToken, response } as unknown as UpstreamRequest)
  expect(answers).toEqual([{ csrfToken: 'token' }])
})

it('asks every change for a token but a webhook, which no browser sends', () => {
  const noted: unknown[] = []
  const check = checkCsrf(guard, { note: (...event) => noted.push(event) })
  const request = { method: 'POST', headers: {}, cookies: { sid: 'mine' } }
  const asked = (access: Access) => () => check({ request, route: { access } } as unknown as UpstreamRequest)
  expect(asked('webhook')).not.toThrow()
  for (const access of ['public', 'session', 'unlocked', 'admin', 'step-up'] as const)
    expect(asked(access)).toThrow(AppError)
  expect(noted).toEqual(Array(5).fill(['csrf-refused', undefined]))
})

it('notes whose change was refused, once the session is known', () => {
  const noted: unknown[] = []
  const check = checkCsrf(guard, { note: (...event) => noted.push(event) })
  const request = { method: 'POST', headers: {}, cookies: { sid: 'mine' } }
  const upstream = { request, route: { access: 'session' }, identity: { userId: 'ann' } }
  expect(() => check(upstream as unknown as UpstreamRequest)).toThrow(AppError)
  expect(noted).toEqual([['csrf-refused', 'ann']])
})

it('refuses a change whose only cookie is over-long', () => {
  const { request, kept } = askForToken({ pre: 'a'.repeat(14_000) })
  kept['pre'] = 'a'.repeat(14_000)
  expect(() => guard.check(request)).toThrow(AppError)
})

it('refuses a made-up token although its cookie has the same value', () => {
  const { request, kept } = askForToken({})
  const name = Object.keys(kept).find((cookie) => cookie.includes('csrf')) as string
  kept[name] = 'made-up'
  request.headers['x-csrf-token'] = 'made-up'
  expect(() => guard.check(request)).toThrow(AppError)
})

it('accepts a token a second time, but no other token', () => {
  const { request } = askForToken({})
  guard.check(request)
  expect(() => guard.check(request)).not.toThrow()
  request.headers['x-csrf-token'] = 'another'
  expect(() => guard.check(request)).toThrow(AppError)
})

it.each([
  ['sec-fetch-site', 'cross-site'],
  ['sec-fetch-site', 'same-site'],
  ['origin', 'https://elsewhere.example'],
])('refuses a valid token of a request with %s: %s', (header, value) => {
  const { request } = askForToken({})
  request.headers[header] = value
  expect(() => guard.check(request)).toThrow(expect.objectContaining({ code: 'origin_refused' }) as Error)
})
