import type { ClientRequest } from 'node:http'

/** What a browser may say to a service. Identity is never among it: that comes from the gateway alone. */
const allowed = new Set([
  'accept',
  'accept-language',
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'range',
  'if-range',
  'user-agent',
  'host',
  'connection',
])
/** Besides, for the socket handshake. */
const allowedForUpgrade = new Set([
  ...allowed,
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
  token?: string | undefined
  /** The cookies the service itself needs, as a Cookie header. */
  cookie?: string | undefined
}

/** Strips everything that is not allowed and adds what the gateway vouches for. */
export function setInwardHeaders(
  request: ClientRequest,
  identity: InwardIdentity,
  { upgrade = false } = {},
): void {
  const keep = upgrade ? allowedForUpgrade : allowed
  // guard: header-hygiene
  for (const name of request.getHeaderNames()) if (!keep.has(name.toLowerCase())) request.removeHeader(name)
  request.setHeader('x-request-id', identity.requestId)
  request.setHeader('x-forwarded-for', identity.address)
  if (identity.token) request.setHeader('authorization', `Bearer ${identity.token}`)
  if (identity.cookie) request.setHeader('cookie', identity.cookie)
}
