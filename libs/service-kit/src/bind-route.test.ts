import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { limits } from '@sumlock/contracts/limits'
import { defineRoute } from '@sumlock/contracts/route'
import { rawBody } from '@sumlock/contracts/route-body'
import jwt from 'jsonwebtoken'
import { z } from 'zod'
import { AppError } from './app-error.ts'
import { createRouteBinder } from './bind-route.ts'
import { createSessionGuard } from './caller.ts'
import { createHttpApp, finishApp } from './http-app.ts'
import { createLogger } from './logger.ts'
import { createMetrics } from './metrics.ts'
import { Reply } from './reply.ts'

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const nowMs = Date.UTC(2026, 0, 1)
const clock = { nowMs: () => nowMs, now: () => new Date(nowMs) }
const userId = 'c56a4180-65aa-42ec-a945-5fd21dec0538'

function token(overrides: Record<string, unknown> = {}, privateKey = keys.privateKey, kid = 'k1') {
  const iat = nowMs / 1000
  const claims = {
    iss: 'auth',
    sub: userId,
    sid: userId,
    admin: false,
    unlockedUntil: 0,
    signedInAt: 0,
    passwordGivenAt: 0,
    iat,
    aud: 'messaging',
    exp: iat + 60,
    ...overrides,
  }
  return `Bearer ${jwt.sign(claims, privateKey, { algorithm: 'ES256', keyid: kid })}`
}

const base = { service: 'messaging', summary: '', errors: [] } as const
const answer = z.object({ ok: z.boolean() })
const echo = defineRoute({
  ...base,
  method: 'POST',
  path: '/echo/:id',
  access: 'public',
  params: z.object({ id: z.uuid() }),
  body: z.strictObject({ text: z.string().max(5) }),
  responses: { 200: z.object({ text: z.string() }), 201: z.object({ text: z.string() }) },
})
const open = defineRoute({
  ...base,
  method: 'GET',
  path: '/open',
  access: 'unlocked',
  responses: { 200: answer },
})
const hook = defineRoute({
  ...base,
  method: 'POST',
  path: '/hook',
  access: 'webhook',
  signatureHeader: 'x-signature',
  body: rawBody,
  bodyMaxBytes: 10,
  responses: { 200: z.object({ bytes: z.array(z.number()), caller: z.null() }) },
})
const admin = defineRoute({
  ...base,
  method: 'GET',
  path: '/admin',
  access: 'admin',
  responses: { 200: answer },
})
const broken = defineRoute({
  ...base,
  method: 'GET',
  path: '/broken',
  access: 'public',
  responses: { 200: answer },
})
const taken = defineRoute({
  ...base,
  method: 'GET',
  path: '/taken',
  access: 'public',
  responses: { 200: answer },
})

let server: Server
let url: string

beforeAll(async () => {
  const options = {
    logger: createLogger({ service: 't', instance: 't', level: 'silent' }),
    metrics: createMetrics('t'),
  }
  const app = createHttpApp(options)
  const bind = createRouteBinder(app, {
    guard: createSessionGuard([{ kid: 'k1', pem: pem() }], clock, 'messaging'),
    config: { SUMLOCK_MODE: 'test' },
  })
  bind(echo, ({ body }) => (body.text === 'new' ? new Reply(201, { text: 'stored' }) : { text: body.text }))
  bind(hook, ({ body, caller }) => ({ bytes: [...body], caller }))
  bind(open, () => ({ ok: true }))
  bind(admin, () => ({ ok: true }))
  bind(broken, () => ({ ok: 'yes' }) as never)
  bind(taken, () => {
    throw new AppError('payment-required', 'daily_limit_reached', 'Enough.', {
      resetsAt: '2026-01-02T00:00:00.000Z',
    })
  })
  server = createServer(finishApp(app, options)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const pem = () => keys.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const get = async (path: string, authorization?: string) => {
  const response = await fetch(url + path, authorization ? { headers: { authorization } } : {})
  return { status: response.status, body: (await response.json()) as { code?: string; resetsAt?: string } }
}
const post = async (
  body: NonNullable<RequestInit['body']>,
  { type = 'application/json', id = userId } = {},
) => {
  const response = await fetch(`${url}/echo/${id}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
    duplex: 'half',
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('a bound route', () => {
  it('gives a webhook the bytes of its body unchanged and no caller, whatever its type and token', async () => {
    const send = async (bytes: number[]) => {
      const headers = { authorization: token(), 'content-type': 'text/weird' }
      const response = await fetch(`${url}/hook`, { method: 'POST', headers, body: Uint8Array.from(bytes) })
      return { status: response.status, body: (await response.json()) as object }
    }
    expect(await send([0, 255, 123])).toEqual({ status: 200, body: { bytes: [0, 255, 123], caller: null } })
    expect(await send([])).toMatchObject({ status: 200, body: { bytes: [] } })
    expect(await send(Array<number>(11).fill(1))).toMatchObject({
      status: 413,
      body: { code: 'body_too_large' },
    })
  })

  it('gives the handler the input that the contract parsed', async () => {
    expect(await post('{"text":"hi"}')).toEqual({ status: 200, body: { text: 'hi' } })
  })

  it('answers with the status that the handler has chosen', async () => {
    expect(await post('{"text":"new"}')).toEqual({ status: 201, body: { text: 'stored' } })
  })

  it.each([
    ['{"text":{"$ne":null}}', {}, 400, 'invalid_request'],
    ['{"text":"hi","admin":true}', {}, 400, 'invalid_request'],
    ['{"text":"too long"}', {}, 400, 'invalid_request'],
    ['{"text":', {}, 400, 'invalid_json'],
    ['', {}, 400, 'invalid_request'],
    ['text=hi', { type: 'application/x-www-form-urlencoded' }, 415, 'unsupported_content_type'],
    [JSON.stringify({ text: 'x'.repeat(70_000) }), {}, 413, 'body_too_large'],
    ['{"text":"hi"}', { id: 'not-a-uuid' }, 400, 'invalid_request'],
    ['{"text":"hi"}', { id: '%E0%A4%A' }, 400, 'bad_path'],
  ])('refuses %s %o with %i %s', async (body, options, status, code) => {
    expect(await post(body, options)).toMatchObject({ status, body: { code } })
  })

  it.each([
    ['a declared length', (text: string) => text],
    ['chunks', (text: string) => new Blob([text]).stream()],
  ])('accepts a body of 64 kB with %s, and no larger one', async (_, send) => {
    const text = '{"text":"hi"}'.padEnd(limits.jsonBodyMaxBytes)
    expect(await post(send(text))).toMatchObject({ status: 200 })
    expect(await post(send(`${text} `))).toMatchObject({ status: 413, body: { code: 'body_too_large' } })
  })

  it('refuses a body that is not UTF-8', async () => {
    const body = Uint8Array.from(Buffer.from('{"text":"\xff"}', 'latin1'))
    expect(await post(body)).toMatchObject({ status: 400, body: { code: 'invalid_json' } })
  })

  it('names the fields that are invalid', async () => {
    expect(Object.keys((await post('{"text":1}')).body['fields'] as object)).toEqual(['text'])
    expect(Object.keys((await post('[]')).body['fields'] as object)).toEqual(['body'])
  })

  it('requires a session, then an unlock that has not ended', async () => {
    const seconds = nowMs / 1000
    expect(await get('/open')).toMatchObject({ status: 401, body: { code: 'no_session' } })
    expect(await get('/open', token())).toMatchObject({ status: 423, body: { code: 'locked' } })
    expect(await get('/open', token({ unlockedUntil: seconds }))).toMatchObject({ status: 423 })
    expect(await get('/open', token({ unlockedUntil: seconds + 1 }))).toMatchObject({ status: 200 })
  })

  it.each([
    ['another key', () => token({ unlockedUntil: 1e10 }, foreign.privateKey)],
    ['an unknown key id', () => token({ unlockedUntil: 1e10 }, keys.privateKey, 'k2')],
    ['a past expiry', () => token({ unlockedUntil: 1e10, exp: nowMs / 1000 - 1 })],
    ['another issuer', () => token({ unlockedUntil: 1e10, iss: 'me' })],
    ['no signature', () => `Bearer ${jwt.sign({ sub: userId, sid: userId }, '', { algorithm: 'none' })}`],
  ])('treats a token with %s as no session', async (_, make) => {
    expect(await get('/open', make())).toMatchObject({ status: 401 })
  })

  it('lets only admins through an admin route', async () => {
    expect(await get('/admin', token())).toMatchObject({ status: 403, body: { code: 'not_allowed' } })
    const seconds = nowMs / 1000
    const confirmed = { passwordGivenAt: seconds, unlockedUntil: seconds + 1 }
    expect(await get('/admin', token(confirmed))).toMatchObject({ status: 403 })
    expect(await get('/admin', token({ admin: true, ...confirmed }))).toMatchObject({ status: 200 })
  })

  it('lets an admin through while unlocked, for less than 15 minutes after the account password was given', async () => {
    const seconds = nowMs / 1000
    const admin = (claims: object) => get('/admin', token({ admin: true, ...claims }))
    const unlockedUntil = seconds + 1
    expect(await admin({ unlockedUntil, passwordGivenAt: seconds - 899 })).toMatchObject({ status: 200 })
    const refused = { status: 403, body: { code: 'step_up_required' } }
    expect(await admin({ unlockedUntil, passwordGivenAt: seconds - 900 })).toMatchObject(refused)
    expect(await admin({ unlockedUntil, signedInAt: seconds })).toMatchObject(refused)
    const locked = { status: 423, body: { code: 'locked' } }
    expect(await admin({ unlockedUntil: seconds, passwordGivenAt: seconds })).toMatchObject(locked)
    expect(await admin({ passwordGivenAt: seconds })).toMatchObject(locked)
    expect(await get('/admin', token())).toMatchObject({ status: 403, body: { code: 'not_allowed' } })
  })

  it('does not send an answer that its contract does not allow', async () => {
    expect(await get('/broken')).toMatchObject({ status: 500, body: { code: 'internal_error' } })
  })

  it('maps a thrown AppError with its details', async () => {
    expect(await get('/taken')).toMatchObject({ status: 402, body: { resetsAt: '2026-01-02T00:00:00.000Z' } })
  })

  it('answers 404 as JSON where there is no route', async () => {
    expect(await get('/nowhere')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})
