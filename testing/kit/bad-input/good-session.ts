import type { Client } from '@sumlock/deployment/api-client'
import { rawRequest } from '../raw-request.ts'
import type { RawAnswer } from '../raw-request.ts'
import type { BadRequest } from './bad-request.ts'

export interface TimedAnswer extends RawAnswer {
  tookMs: number
}

/** A session with valid cookies, origin and CSRF token, so that only the bad part of a request can be refused. */
export interface GoodSession {
  send(request: BadRequest): Promise<TimedAnswer>
}

/** Copies the cookies and a CSRF token of a client once; cookies of answers are not kept. */
export async function goodSession(client: Client): Promise<GoodSession> {
  const token = await client.csrfToken()
  const cookies = new Map(client.cookies)
  const cookieOf = (sid: BadRequest['sid']) => {
    const real = cookies.get('sid')
    const shown = sid ? sid(real ?? '') : real
    const others = [...cookies].filter(([name]) => name !== 'sid').map(([name, value]) => `${name}=${value}`)
    return [...(shown === null || shown === undefined ? [] : [`sid=${shown}`]), ...others].join('; ')
  }
  return {
    async send({ method, target, body, headers = {}, sid }) {
      const good = {
        cookie: cookieOf(sid),
        origin: client.origin,
        'x-csrf-token': token,
        // Set explicitly, because Node omits it for methods that usually have no body.
        ...(body === undefined && method === 'GET'
          ? {}
          : { 'content-length': String(Buffer.byteLength(body ?? '')) }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const kept = Object.entries({ ...good, ...headers }).filter(([, value]) => value !== null)
      const startedAt = performance.now()
      const answer = await rawRequest(client.gatewayUrl, target, {
        method,
        headers: Object.fromEntries(kept),
        ...(body === undefined ? {} : { body }),
      })
      return { ...answer, tookMs: performance.now() - startedAt }
    },
  }
}
