import type { Difference } from './bad-request.ts'

export interface InternalSecret {
  caller: string
  secret: string
}

const anyUserId = '9b2f5c7e-3d41-4a86-8f0b-1c2d3e4f5a6b'
const claims = {
  sub: anyUserId,
  sid: anyUserId,
  admin: true,
  unlockedUntil: 4_102_444_800,
  exp: 4_102_444_800,
}
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const unsigned = `${part({ alg: 'none', kid: 'x' })}.${part({ iss: 'auth', iat: 1, ...claims })}.`

/** Requests without a session that claim an identity in other ways. */
export function spoofedIdentities({ caller, secret }: InternalSecret): Difference[] {
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
    'the credential of a service': { authorization: `Internal ${caller}:${secret}` },
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
  return Object.entries(headers).flatMap(([name, spoofed]) => [
    { name: `no session, ${name}`, headers: spoofed, sid: () => null },
    // A proxy that answers `Expect: 100-continue` may skip its other header rules.
    {
      name: `no session, ${name}, expecting 100-continue`,
      headers: { ...spoofed, expect: '100-continue' },
      sid: () => null,
    },
  ])
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

/** Session cookies that were never issued. */
export const tamperedCookies: Difference[] = [
  ...Object.entries(tampered).map(([name, sid]) => ({ name: `cookie ${name}`, sid })),
  {
    name: 'cookie under the name of an operator',
    sid: () => null,
    headers: { cookie: 'sid[$ne]=x; __proto__=y' },
  },
]

const token = (name: string, value: string | string[] | null): Difference => ({
  name: `CSRF token ${name}`,
  headers: { 'x-csrf-token': value },
})

/** CSRF tokens and origins that the web client never sends. */
export const wrongTokens: Difference[] = [
  token('missing', null),
  token('empty', ''),
  token('invented', `${'a'.repeat(64)}.${'b'.repeat(64)}`),
  token('twice', ['a', 'b']),
  token('very long', 'a'.repeat(8192)),
  token('__proto__', '__proto__'),
  ...['https://evil.example', 'null', 'http://127.0.0.1', 'https://localhost.evil.example'].map((origin) => ({
    name: `origin ${origin}`,
    headers: { origin },
  })),
  ...['cross-site', 'same-site'].map((site) => ({
    name: `site ${site}`,
    headers: { 'sec-fetch-site': site },
  })),
]
