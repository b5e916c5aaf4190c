import { ServerResponse, STATUS_CODES } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { sessionCookie, sessionCookieShape } from '@sumlock/contracts/cookies'
import { clientAddress } from '@sumlock/service-kit/client-address'
import { parseCookies } from '@sumlock/service-kit/parse-cookies'
import { drainingHeader } from '@sumlock/service-kit/serve'
import type { Context } from './context.ts'
import { waitSeconds } from '@sumlock/service-kit/wait-words'
import { anyHandshakes, createHandshakeLimit, handshakesPerWindow } from './infrastructure/handshake-limit.ts'
import type { SocketSession } from './domain/socket-session.ts'
import type { UpgradeRefusal } from './metrics.ts'

/** Describes a connection that may be upgraded but has no socket yet. */
export interface Upgrade {
  identity: SocketSession
  cookie: string
  /** The position of the invalidation log before the call to auth shows whether `identity` is outdated. */
  position: number
}

export type UpgradeContext = Pick<
  Context,
  'config' | 'clock' | 'logger' | 'metrics' | 'identify' | 'invalidations'
>

export interface UpgradeGuard {
  /** Runs as a middleware of Engine.IO: answers a connection that may not be upgraded, and calls `next` for one that may. */
  check(request: IncomingMessage, response: unknown, next: () => void): void
  /** Returns what `check` has stored about an accepted connection. */
  of(request: IncomingMessage | null): Upgrade | undefined
}

const statusOf: Record<UpgradeRefusal, 401 | 403 | 429 | 503> = {
  draining: 503,
  full: 503,
  unavailable: 503,
  origin: 403,
  cookie: 401,
  session: 401,
  address: 429,
  network: 429,
  person: 429,
}

interface Refusal {
  reason: UpgradeRefusal
  waitMs?: number
}

/**
 * Limits concurrent session checks at auth. All clients reconnect after a restart, and a refused client retries within
 * seconds.
 */
const maxConcurrentChecks = 500

/** Decides before the upgrade whether a request may become a socket: by its Origin, the limits, and its session at auth. */
export function createUpgradeGuard(
  ctx: UpgradeContext,
  load: { isDraining: () => boolean; sockets: () => number },
  perWindow = ctx.config.RATE_LIMITS === 'on' ? handshakesPerWindow : anyHandshakes,
): UpgradeGuard {
  const { config, metrics } = ctx
  const unconfirmed = createHandshakeLimit(perWindow.unconfirmed, ctx.clock.nowMs)
  const byPerson = createHandshakeLimit(perWindow.perPerson, ctx.clock.nowMs)
  const upgrades = new WeakMap<IncomingMessage, Upgrade>()
  let asking = 0

  const cookieOf = ({ headers }: IncomingMessage) =>
    parseCookies(headers.cookie)[sessionCookie(config.COOKIE_SECURE)] ?? ''

  const addressOf = (request: IncomingMessage) => clientAddress(request, config.TRUSTED_HOPS)

  const refusalOf = (request: IncomingMessage): Refusal | undefined => {
    const { origin } = request.headers
    if (load.isDraining()) return { reason: 'draining' }
    if (load.sockets() + asking >= config.SOCKETS_AT_MOST || asking >= maxConcurrentChecks)
      return { reason: 'full' }
    // Browsers always send Origin; a request without it does not come from a web page.
    if (origin !== undefined && !config.PUBLIC_ORIGINS.includes(origin)) return { reason: 'origin' }
    // The cookie is checked before the limit of the address, so that requests without a session do not use up the limit of
    // others at the same address.
    if (!sessionCookieShape.test(cookieOf(request))) return { reason: 'cookie' }
    return unconfirmed.take(addressOf(request))
  }

  const askAuth = async (request: IncomingMessage): Promise<Refusal | undefined> => {
    const cookie = cookieOf(request)
    const position = ctx.invalidations.position()
    asking += 1
    try {
      const identity = await ctx.identify(cookie)
      if (!identity) return { reason: 'session' }
      // A confirmed session counts for its person instead of its address, which it may share with others.
      unconfirmed.giveBack(addressOf(request))
      const spent = byPerson.take(identity.userId)
      if (spent) return { ...spent, reason: 'person' }
      upgrades.set(request, { identity, cookie, position })
      return undefined
    } catch (error) {
      ctx.logger.warn({ err: error }, 'handshake refused because the call to auth failed')
      return { reason: 'unavailable' }
    } finally {
      asking -= 1
    }
  }

  const refuse = (request: IncomingMessage, refusal: Refusal) => {
    metrics.handshakeRefusals.inc({ reason: refusal.reason })
    answerRefused(request, refusal)
  }

  return {
    check(request, response, next) {
      // Engine.IO itself refuses requests that are not upgrades.
      if (response instanceof ServerResponse) {
        next()
        return
      }
      // Node leaves an upgraded connection without an error listener, so a connection error would end the process.
      request.socket.on('error', () => undefined)
      const early = refusalOf(request)
      if (early) {
        refuse(request, early)
        return
      }
      void askAuth(request).then((refusal) => {
        if (refusal) refuse(request, refusal)
        else next()
      })
    },
    of: (request) => (request ? upgrades.get(request) : undefined),
  }
}

function answerRefused({ socket }: IncomingMessage, { reason, waitMs }: Refusal): void {
  const status = statusOf[reason]
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'connection: close', 'content-length: 0']
  if (reason === 'draining') head.push(`${drainingHeader}: yes`)
  if (waitMs !== undefined) head.push(`retry-after: ${waitSeconds(waitMs)}`)
  socket.write([...head, '\r\n'].join('\r\n'))
  socket.destroySoon()
}
