import { randomBytes } from 'node:crypto'
import { getCsrfToken } from '@sumlock/contracts/gateway-routes'
import { csrfCookie, preSessionCookie, sessionCookie } from '@sumlock/contracts/cookies'
import { AppError } from '@sumlock/service-kit/app-error'
import { serializeCookie } from '@sumlock/service-kit/parse-cookies'
import { doubleCsrf } from 'csrf-csrf'
import type { Request, Response } from 'express'
import { createLru } from '@sumlock/service-kit/lru'
import type { SecurityEvents } from '@sumlock/service-kit/security-events'
import type { Config } from '../config.ts'
import type { Stage } from './upstream-request.ts'

const refused = () =>
  new AppError('forbidden', 'csrf_failed', 'This page is too old to do that. Please reload it and try again.')
const crossSite = () =>
  new AppError(
    'forbidden',
    'origin_refused',
    'This request came from another site. Please open the app itself and try again.',
  )

/**
 * The gateway remembers this many verified tokens, of sessions and of browsers before sign-in. The number is bounded,
 * because any browser can fetch tokens.
 */
export const rememberedTokens = 20_000

export interface CsrfGuard {
  /** Sets one half of the token as a cookie and returns the other half. */
  issue(request: Request, response: Response): string
  /** Throws 403 unless the request comes from our own page with the token of its session. */
  check(request: Request, options?: { needsToken: boolean }): void
}

/** Implements signed double-submit cookies. A token is bound to the session or, before sign-in, to a pre-session cookie. */
export function createCsrfGuard(config: Config): CsrfGuard {
  const secure = config.COOKIE_SECURE
  const [sid, pre, csrf] = [sessionCookie(secure), preSessionCookie(secure), csrfCookie(secure)]
  const cookiesOf = (request: Request) => request.cookies as Record<string, string>
  // Longer cookies are ignored, because any browser can invent one and the cache below would keep it. Our own cookies have
  // 43 characters.
  const isOurs = (value: string | undefined) => value !== undefined && value.length <= 64
  const ownerOf = (request: Request) => [cookiesOf(request)[sid], cookiesOf(request)[pre]].find(isOurs) ?? ''
  const { generateCsrfToken, validateRequest } = doubleCsrf({
    getSecret: () => config.CSRF_SECRET,
    getSessionIdentifier: ownerOf,
    cookieName: csrf,
    cookieOptions: { sameSite: 'lax', path: '/', secure, httpOnly: true },
  })
  // Verified tokens are remembered, because verifying costs two HMACs and a session sends the same token with every change.
  const verified = createLru<string, string>(rememberedTokens)

  return {
    issue(request, response) {
      if (ownerOf(request) === '') {
        const value = randomBytes(32).toString('base64url')
        cookiesOf(request)[pre] = value
        response.append('set-cookie', serializeCookie(pre, value, { secure }))
      }
      return generateCsrfToken(request, response)
    },
    check(request, { needsToken } = { needsToken: true }) {
      const { origin, 'sec-fetch-site': site } = request.headers
      if (origin !== undefined && !config.PUBLIC_ORIGINS.includes(origin)) throw crossSite()
      if (site === 'cross-site' || site === 'same-site') throw crossSite()
      if (!needsToken) return
      const owner = ownerOf(request)
      const shown = request.headers['x-csrf-token']
      if (owner === '' || typeof shown !== 'string') throw refused()
      if (verified.get(owner) === shown && cookiesOf(request)[csrf] === shown) return
      // guard: csrf-token
      if (!validateRequest(request)) throw refused()
      verified.set(owner, shown)
    },
  }
}

/** Answers the one route that the gateway itself owns. */
export const issueCsrfToken =
  (csrf: CsrfGuard): Stage =>
  ({ route, request, response }) => {
    if (route === getCsrfToken) response.json({ csrfToken: csrf.issue(request, response) })
  }

export const checkCsrf =
  (csrf: CsrfGuard, { note }: Pick<SecurityEvents, 'note'>): Stage =>
  ({ route, request, identity }) => {
    // Webhooks need no token, because they are signed and no browser sends them.
    if (request.method === 'GET' || route.access === 'webhook') return
    try {
      csrf.check(request, { needsToken: !route.isSignedAddress })
    } catch (error) {
      note('csrf-refused', identity?.userId)
      throw error
    }
  }
