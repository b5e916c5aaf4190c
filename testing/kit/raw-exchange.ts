import { connect } from 'node:net'

export interface RawExchange {
  /** The server has sent this text. */
  text: string
  /** These are the statuses of all answers, in order. */
  statuses: number[]
  /** The exchange took this many milliseconds, until the connection was closed or `withinMs` had passed. */
  tookMs: number
  closed: boolean
}

export interface RawExchangeOptions {
  /** Closes the connection after this time. */
  withinMs: number
  /** Closes the connection when the answer matches. */
  until?: RegExp
  /** These texts are sent after the bytes, one every half second. */
  drip?: readonly string[]
}

/** Writes bytes to a new connection and reads until it is closed or the time is over. */
export function rawExchange(
  origin: string,
  bytes: string | Buffer,
  { withinMs, until, drip = [] }: RawExchangeOptions,
): Promise<RawExchange> {
  const { hostname, port } = new URL(origin)
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    const chunks: Buffer[] = []
    const left = [...drip]
    const dripping = setInterval(() => {
      const next = left.shift()
      if (next !== undefined && socket.writable) socket.write(next)
    }, 500)
    const end = (closed: boolean) => {
      clearTimeout(timer)
      clearInterval(dripping)
      socket.destroy()
      const text = Buffer.concat(chunks).toString('latin1')
      const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))
      resolve({ text, statuses, tookMs: performance.now() - startedAt, closed })
    }
    const timer = setTimeout(() => end(false), withinMs)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (until?.test(Buffer.concat(chunks).toString('latin1'))) end(false)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => end(true))
    socket.write(bytes)
  })
}
