import { bounds } from '../kit/bounds.ts'
import { rawExchange } from '../kit/raw-exchange.ts'
import type { RawExchange } from '../kit/raw-exchange.ts'
import { sharedStack } from '../kit/shared-stack.ts'

const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`
const post = (headers: readonly string[], content = '') =>
  head('POST /api/login HTTP/1.1', 'Host: a', 'Content-Type: application/json', ...headers) + content
const get = (...headers: string[]) => head('GET /api/csrf-token HTTP/1.1', 'Host: a', ...headers)
const upgrade = ['Connection: Upgrade', 'Upgrade: websocket']
/** A server answers this as a second request if the end of the first one is ambiguous. */
const smuggled = get('X-Smuggled: 1')
const chunkedHeader = 'Transfer-Encoding: chunked'
const chunked = (content: string) => `${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`

/**
 * Bytes that are not HTTP, or HTTP that two servers could read differently. Each must get at most one answer, which is
 * no success, and have its connection closed.
 */
const malformedRequests: Readonly<Record<string, string | Buffer>> = {
  'both lengths': post(['Content-Length: 6', chunkedHeader], `0\r\n\r\n${smuggled}`),
  'both lengths, other order': post([chunkedHeader, 'Content-Length: 6'], `0\r\n\r\n${smuggled}`),
  'two lengths': post(['Content-Length: 0', 'Content-Length: 60'], smuggled),
  'two lengths in one': post(['Content-Length: 0, 60'], smuggled),
  'negative length': post(['Content-Length: -1'], smuggled),
  'signed length': post(['Content-Length: +2'], `{}${smuggled}`),
  'length in hex': post(['Content-Length: 0x2'], `{}${smuggled}`),
  'length beyond numbers': post(['Content-Length: 99999999999999999999999'], '{}'),
  'huge length': post(['Content-Length: 9007199254740991'], '{}'),
  'chunked by another name': post(['Transfer-Encoding: xchunked'], chunked('{}') + smuggled),
  'chunked twice': post(['Transfer-Encoding: chunked, chunked'], chunked('{}') + smuggled),
  'chunked, then identity': post(['Transfer-Encoding: chunked, identity'], chunked('{}') + smuggled),
  'chunked after a tab': post(['Transfer-Encoding:\tchunked', 'Content-Length: 2'], `{}${smuggled}`),
  'chunked with vertical tab': post(['Transfer-Encoding: \x0bchunked', 'Content-Length: 2'], `{}${smuggled}`),
  'name with a space': post(['Transfer-Encoding : chunked', 'Content-Length: 2'], `{}${smuggled}`),
  'folded header': post(['Content-Length: 2', 'X-A: b', ' Transfer-Encoding: chunked'], `{}${smuggled}`),
  'chunk of no size': post([chunkedHeader], `zz\r\n{}\r\n0\r\n\r\n${smuggled}`),
  'chunk of negative size': post([chunkedHeader], `-2\r\n{}\r\n0\r\n\r\n${smuggled}`),
  'chunk beyond numbers': post([chunkedHeader], `ffffffffffffffffff\r\n{}\r\n`),
  'huge chunk extension': post([chunkedHeader], `2;${'a'.repeat(100_000)}\r\n{}\r\n0\r\n\r\n`),
  'identity in a trailer': post(
    [chunkedHeader, 'Connection: close'],
    '2\r\n{}\r\n0\r\nX-User-Id: bob\r\n\r\n',
  ),
  'no host': 'GET /api/user HTTP/1.1\r\n\r\n',
  'two hosts': head('GET /api/user HTTP/1.1', 'Host: a', 'Host: b', 'Connection: close'),
  'lines without carriage returns': 'GET /api/user HTTP/1.1\nHost: a\n\n',
  'NUL in a header': get('X-A: a\0b'),
  'carriage return in a header': get('X-A: a\rSet-Cookie: b=c'),
  'header without a name': get(': value'),
  'header without a colon': get('value'),
  'name beyond ASCII': Buffer.from(get('X-\u00e4: b'), 'utf8'),
  'large header': get(`X-A: ${'a'.repeat(100_000)}`),
  'very many headers': get(...Array.from({ length: 5000 }, (_, n) => `X-${n}: a`)),
  'very long target': head(`GET /api/user?${'a'.repeat(100_000)} HTTP/1.1`, 'Host: a'),
  'target with a space': head('GET /api/ user HTTP/1.1', 'Host: a'),
  'target beyond ASCII': Buffer.from(head('GET /api／user HTTP/1.1', 'Host: a'), 'utf8'),
  'target with a fragment': head('GET /api/user#x HTTP/1.1', 'Host: a', 'Connection: close'),
  'target without a slash': head('GET api/user HTTP/1.1', 'Host: a', 'Connection: close'),
  'target *': head('OPTIONS * HTTP/1.1', 'Host: a', 'Connection: close'),
  'a tunnel': head('CONNECT 127.0.0.1:22 HTTP/1.1', 'Host: a'),
  'an unknown method': head('BREW /api/user HTTP/1.1', 'Host: a'),
  'method in small letters': head('get /api/user HTTP/1.1', 'Host: a'),
  'HTTP/0.9': 'GET /api/user\r\n\r\n',
  'HTTP/1.0': head('GET /api/user HTTP/1.0'),
  'HTTP/9.9': head('GET /api/user HTTP/9.9', 'Host: a'),
  'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  TLS: Buffer.from('16030100a5010000a10303', 'hex'),
  noise: Buffer.from(Array.from({ length: 2000 }, (_, n) => (n * 7919) % 256)),
  'an unknown expectation': get('Expect: everything', 'Connection: close'),
  'an upgrade to an unknown protocol': get('Connection: Upgrade', 'Upgrade: h2c'),
  'an upgrade of another path': get(...upgrade),
  'an upgrade by POST': head('POST /ws/ HTTP/1.1', 'Host: a', ...upgrade),
  'an upgrade with content': post([...upgrade, 'Content-Length: 2'], '{}'),
}

const letters = Array<string>(60).fill('x')

/** Requests that never end: the bytes sent at once, and those that follow one by one. */
const slowRequests: Record<string, { bytes: string; drip: readonly string[] }> = {
  'a request line': { bytes: 'GET /api/', drip: letters },
  headers: { bytes: 'GET /api/user HTTP/1.1\r\nHost: a\r\n', drip: letters.map((_, n) => `X-${n}: a\r\n`) },
  'a body': { bytes: post(['Content-Length: 60000']), drip: letters },
  'a body that stops': { bytes: post(['Content-Length: 60000'], '{"username":"a'), drip: [] },
  'a body in chunks': { bytes: post([chunkedHeader]), drip: letters.map(() => '1\r\n \r\n') },
  'an unexpected body': { bytes: get('Content-Length: 60000'), drip: letters },
}

const malformed = Object.entries(malformedRequests)
const slow = Object.entries({ ...slowRequests, 'a connection without a request': { bytes: '', drip: [] } })

let gatewayUrl: string
let malformedExchanges: RawExchange[]
let slowExchanges: RawExchange[]

beforeAll(async () => {
  gatewayUrl = (await sharedStack()).gatewayUrl
  const withinMs = bounds.answerMs + 500
  ;[malformedExchanges, slowExchanges] = await Promise.all([
    Promise.all(malformed.map(([, bytes]) => rawExchange(gatewayUrl, bytes, { withinMs }))),
    Promise.all(
      slow.map(([, { bytes, drip }]) => rawExchange(gatewayUrl, bytes, { withinMs: 20_000, drip })),
    ),
  ])
})

const numbered = (cases: readonly [name: string, unknown][]) =>
  cases.map(([name], index) => [name, index] as const)
const noRefusals = (statuses: readonly number[]) => statuses.filter((status) => status < 400 || status >= 500)

it.each(numbered(malformed))(
  'answers malformed HTTP at most once, never with a success, and closes the connection: %s',
  (_name, index) => {
    const { statuses, tookMs, closed } = malformedExchanges[index] as RawExchange
    expect(statuses.length).toBeLessThanOrEqual(1)
    expect(noRefusals(statuses)).toEqual([])
    expect(closed).toBe(true)
    expect(tookMs).toBeLessThan(bounds.answerMs)
  },
)

it.each(numbered(slow))('closes the connection of a request that never ends: %s', (_name, index) => {
  const { statuses, tookMs, closed } = slowExchanges[index] as RawExchange
  expect(noRefusals(statuses)).toEqual([])
  expect(closed).toBe(true)
  expect(tookMs).toBeLessThan(12_500)
})

it('still answers after malformed and endless requests', async () => {
  expect((await fetch(`${gatewayUrl}/api/csrf-token`)).status).toBe(200)
})
