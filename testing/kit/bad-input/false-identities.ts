import type { Difference } from './bad-requests.ts'

const anyUserId = '9b2f5c7e-3d41-4a86-8f0b-1c2d3e4f5a6b'
const in2100 = 4_102_444_800
const claims = {
  iss: 'auth',
  iat: 1,
  sub: anyUserId,
  sid: anyUserId,
  admin: true,
  unlockedUntil: in2100,
  exp: in2100,
}
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const unsigned = `${part({ alg: 'none', kid: 'x' })}.${part(claims)}.`

/**
 * Returns requests that have no session and claim an identity in other ways. The services would accept `gatewaySecret`
 * from the gateway.
 */
export function spoofedIdentities(gatewaySecret: string): Difference[] {
  const headers: Record<string, Record<string, string>> = {
    'plain identity headers': {
      'x-user-id': anyUserId,
      'x-user_id': anyUserId,
      x_user_id: anyUserId,
      'x-forwarded-user': anyUserId,
      'x-session-id': anyUserId,
      'x-admin': 'true',
      'x-sumlock-user': anyUserId,
      'x-unlocked-until': '4102444800',
    },
    'the credential of a service': { authorization: `Internal gateway:${gatewaySecret}` },
    'an unsigned token': { authorization: `Bearer ${unsigned}` },
    'an invalid token': { authorization: 'Bearer null' },
    'basic credentials': { authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` },
    'a loopback address': {
      'x-forwarded-for': '127.0.0.1',
      'x-real-ip': '127.0.0.1',
      forwarded: 'for=127.0.0.1;host=localhost',
      'x-forwarded-host': 'localhost',
      'x-original-url': '/api/csrf-token',
      'x-rewrite-url': '/api/csrf-token',
    },
  }
  // A proxy that answers `Expect: 100-continue` may skip its rules for other headers.
  const expecting = Object.entries(headers).map(
    ([name, spoofed]) => [`${name}, expecting 100-continue`, { ...spoofed, expect: '100-continue' }] as const,
  )
  return [...Object.entries(headers), ...expecting].map(([name, spoofed]) => ({
    name: `no session, ${name}`,
    headers: spoofed,
    sid: () => null,
  }))
}

const tampered: Record<string, (real: string) => string> = {
  'cut off': (real) => real.slice(0, -1),
  'one letter longer': (real) => `${real}A`,
  'one letter changed': (real) => `${real.startsWith('A') ? 'B' : 'A'}${real.slice(1)}`,
  'in small letters': (real) => real.toLowerCase(),
  'with NUL': (real) => `${real}%00`,
  'broken encoding': (real) => `${real}%zz`,
  operator: () => encodeURIComponent('{"$gt":""}'),
  'express JSON': () => `j:${encodeURIComponent('{"$ne":null}')}`,
  emoji: () => '%F0%9F%98%80',
  'surrogate bytes': () => '%ED%A0%80',
  __proto__: () => '__proto__',
  '8 kB': () => 'A'.repeat(8192),
  quoted: (real) => `"${real}"`,
  'before the real one': (real) => `x; sid=${real}`,
  empty: () => '',
}

/** No session was ever issued with one of these cookies. */
export const tamperedCookies: Difference[] = [
  ...Object.entries(tampered).map(([name, sid]) => ({ name: `cookie ${name}`, sid })),
  { name: 'cookie named as an operator', sid: () => null, headers: { cookie: 'sid[$ne]=x; __proto__=y' } },
]

const headerValues: readonly [header: string, values: readonly (string | string[] | null)[]][] = [
  [
    'x-csrf-token',
    [null, '', `${'a'.repeat(64)}.${'b'.repeat(64)}`, ['a', 'b'], 'a'.repeat(8192), '__proto__'],
  ],
  ['origin', ['https://evil.example', 'null', 'http://127.0.0.1', 'https://localhost.evil.example']],
  ['sec-fetch-site', ['cross-site', 'same-site']],
]

/** The web client never sends these CSRF tokens and origins. */
export const wrongTokens: Difference[] = headerValues.flatMap(([header, values]) =>
  values.map((value) => ({ name: `${header} ${String(value).slice(0, 40)}`, headers: { [header]: value } })),
)
