import type { IncomingHttpHeaders } from 'node:http'

/** What a browser may say to a service. Identity is never among it: that comes from the gateway alone. */
const allowed = new Set([
  'accept',
  'accept-language',
  'content-type',
  'content-length',
  'content-encoding',
  'range',
  'if-range',
  'user-agent',
  'host',
])
/** Besides, for the socket handshake. */
const allowedForUpgrade = new Set([
  ...allowed,
  'connection',
  'upgrade',
  'origin',
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-extensions',
  'sec-websocket-protocol',
])

export interface InwardIdentity {
  requestId: string
  address: string
  traceparent?: string | undefined
  token?: string | undefined
  /** The cookies the service itself needs, as a Cookie header. */
  cookie?: string | undefined
}

/**
 * Of what a browser sent, what is allowed, and what the gateway vouches for. To be put in the place of the headers
 * before the proxy sees the request: its own hook is left out for some of them (`Expect`), and whatever is thrown
 * there ends the process.
 */
export function inwardHeaders(
  sent: IncomingHttpHeaders,
  identity: InwardIdentity,
  { upgrade = false } = {},
): IncomingHttpHeaders {
  const keep = upgrade ? allowedForUpgrade : allowed
  return {
    // guard: header-hygiene
    ...Object.fromEntries(Object.entries(sent).filter(([name]) => keep.has(name))),
    'x-request-id': identity.requestId,
    'x-forwarded-for': identity.address,
    ...(identity.traceparent ? { traceparent: identity.traceparent } : {}),
    ...(identity.token ? { authorization: `Bearer ${identity.token}` } : {}),
    ...(identity.cookie ? { cookie: identity.cookie } : {}),
  }
}
