import type { Client } from '@sumlock/deployment/api-client'
import { rawRequest } from '../raw-request.ts'
import type { RawAnswer } from '../raw-request.ts'
import type { BadRequest } from './bad-requests.ts'

export interface TimedAnswer extends RawAnswer {
  tookMs: number
}

/** Sends a request with valid cookies, origin and CSRF token, so that only its bad part can be refused. */
export type GoodSession = (request: BadRequest) => Promise<TimedAnswer>

/** Copies the cookies and a CSRF token of a client once. Cookies in answers are not kept. */
export async function goodSession(client: Client): Promise<GoodSession> {
  const token = await client.csrfToken()
  const { sid: real = null, ...others } = Object.fromEntries(client.cookies)
  return async ({ method, target, body, headers = {}, sid }) => {
    const shown = sid ? sid(real ?? '') : real
    const cookies = Object.entries({ ...(shown !== null && { sid: shown }), ...others })
    const good = {
      cookie: cookies.map((pair) => pair.join('=')).join('; '),
      origin: client.origin,
      'x-csrf-token': token,
      // The length is set explicitly, because Node omits it for methods that usually have no body.
      'content-length': body === undefined && method === 'GET' ? null : String(Buffer.byteLength(body ?? '')),
      'content-type': body === undefined ? null : 'application/json',
    }
    const kept = Object.entries({ ...good, ...headers }).filter(([, value]) => value !== null)
    const startedAt = performance.now()
    const answer = await rawRequest(client.gatewayUrl, target, {
      method,
      headers: Object.fromEntries(kept) as Record<string, string>,
      ...(body !== undefined && { body }),
    })
    return { ...answer, tookMs: performance.now() - startedAt }
  }
}
