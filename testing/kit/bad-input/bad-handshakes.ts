import { randomBytes } from 'node:crypto'
import { handshakeQuery, serverEvent, socketPath } from '@sumlock/contracts/socket'
import { sampleOf } from '../arbitrary-of.ts'
import { badQueries } from './bad-addresses.ts'
import { operators, prototypes } from './bad-bodies.ts'

export interface BadHandshake {
  name: string
  target: string
  headers?: Readonly<Record<string, string | null>>
}

/** Returns handshakes that must be refused. `claim` is the query of a good one. */
export function badHandshakes(claim: Readonly<Record<string, string>>): BadHandshake[] {
  const search = (query: Readonly<Record<string, string>>) =>
    `${socketPath}/?${new URLSearchParams({ EIO: '4', transport: 'websocket', ...query }).toString()}`
  const good = search(claim)
  const fields = Object.keys(handshakeQuery.shape).flatMap((field) => {
    const { [field]: _left, ...others } = claim
    return badQueries(search(others), handshakeQuery.pick({ [field]: true } as never))
      .map(({ target }) => target.replace(/\?([^?]*)$/, '&$1'))
      .filter((target) => target.includes(`&${field}=`))
  })
  const targets = [
    ...fields,
    search({}),
    ...['polling', 'webtransport', 'x', '__proto__'].map((transport) => search({ ...claim, transport })),
    ...['3', '5', 'x'].map((EIO) => search({ ...claim, EIO })),
    `${good}&sid=__proto__`,
  ]
  const headers: Record<string, string | null>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { cookie: null },
    { cookie: `sid=${'a'.repeat(43)}` },
    { cookie: null, 'x-user-id': claim['userId'] ?? '' },
  ]
  return [
    ...targets.map((target) => ({ name: target, target })),
    ...headers.map((each) => ({ name: JSON.stringify(each), target: good, headers: each })),
  ]
}

/**
 * Returns messages that a client sends and the server must ignore: those that only the server may send, and values that
 * break parsers.
 */
export function clientMessages(): [string, ...unknown[]][] {
  const names = 'event message new_message join connection __proto__ constructor toString'.split(' ')
  const contents = [...serverEvent.options.map(sampleOf), ...operators, ...prototypes, null, 'x', []]
  return [...names, ''].flatMap((name) => contents.map((content): [string, ...unknown[]] => [name, content]))
}

const mask = randomBytes(4)

/** Encodes one WebSocket frame of a client. Its first byte, `first`, contains the flags and the opcode. */
function frame(content: string | Buffer, { first = 0x81, masked = true, length = -1 } = {}): Buffer {
  const payload = Buffer.from(content)
  const size = length < 0 ? payload.length : length
  const head = Buffer.alloc(10)
  head[0] = first
  head[1] = (masked ? 0x80 : 0) | 127
  head.writeBigUInt64BE(BigInt(size), 2)
  if (!masked) return Buffer.concat([head, payload])
  return Buffer.concat([head, mask, payload.map((byte, at) => byte ^ (mask[at % 4] as number))])
}

const packets = [
  ...'9 0 1 5 6 4 49 42 42{ 42[] 42[null] 42["connect"] 42["disconnect"] 45-["x"]'.split(' '),
  ...'459999999-["x",{"_placeholder":true,"num":0}] 46-[] 43["x"] 44"x" 429e99["x"]'.split(' '),
  ...'40/admin, 40/__proto__, 40{"__proto__":1} 40,{ 40[ 41 42["event",{"__proto__":{"a":1}}]'.split(' '),
  '4\ud800',
  `42${'['.repeat(2000)}`,
]

/** These frames and packets break a parser that trusts its input. */
export const badFrames: Readonly<Record<string, Buffer>> = {
  unmasked: frame('40', { masked: false }),
  'a reserved opcode': frame('40', { first: 0x83 }),
  'reserved bits': frame('40', { first: 0xf1 }),
  'a continuation without a first frame': frame('40', { first: 0x80 }),
  'a long control frame': frame('x'.repeat(200), { first: 0x89 }),
  'a length beyond memory': frame('x', { length: Number.MAX_SAFE_INTEGER }),
  'more than the limit': frame(`42["event","${'x'.repeat(100_000)}"]`),
  'text that is not UTF-8': frame(Buffer.from([0x34, 0x30, 0xff, 0xfe])),
  'binary noise': frame(randomBytes(64), { first: 0x82 }),
  'no packet': frame(''),
  ...Object.fromEntries(packets.map((packet) => [`packet ${packet.slice(0, 40)}`, frame(packet)])),
}

/** Returns a WebSocket handshake as it is sent over the wire. */
export const handshakeBytes = (target: string, headers: Readonly<Record<string, string>>): string =>
  [
    `GET ${target} HTTP/1.1`,
    'Host: a',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')

/** A Socket.IO client connects by this packet after the handshake. */
export const connectFrame: Buffer = frame('40')

/** A client answers the server's heartbeat by this packet. */
export const pongFrame: Buffer = frame('3')
