import { connect } from 'node:net'
import type { Socket } from 'node:net'

export interface LightAnswer {
  status: number
  head: string
  body: string
  /** When the request was handed to the kernel, on the clock of `performance.now()`. */
  writtenAtMs: number
}

export interface LightHttp {
  /** Sends a whole request as text; one at a time on each connection. */
  exchange(request: string): Promise<LightAnswer>
  close(): void
}

interface Job {
  request: string
  writtenAtMs: number
  resolve: (answer: LightAnswer) => void
  reject: (error: Error) => void
}

interface Lane {
  socket: Socket
  job: Job | undefined
  received: Buffer
}

const headEnd = Buffer.from('\r\n\r\n')
const nothing = Buffer.alloc(0)

/** Just enough HTTP/1.1 for a load generator, which shares its processors with what it measures. */
export function lightHttp(baseUrl: string, maxConnections = 512): LightHttp {
  const { hostname, port } = new URL(baseUrl)
  const lanes = new Set<Lane>()
  const idle: Lane[] = []
  const waiting: Job[] = []

  const begin = (lane: Lane, job: Job) => {
    lane.job = job
    job.writtenAtMs = performance.now()
    lane.socket.write(job.request)
  }
  const open = (job: Job) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    const lane: Lane = { socket, job: undefined, received: nothing }
    lanes.add(lane)
    begin(lane, job)
    socket.once('connect', () => (job.writtenAtMs = performance.now()))
    socket.on('data', (chunk) => take(lane, chunk))
    const lost = (error: Error) => {
      lanes.delete(lane)
      if (idle.includes(lane)) idle.splice(idle.indexOf(lane), 1)
      lane.job?.reject(error)
      lane.job = undefined
    }
    socket.on('error', lost)
    socket.on('close', () =>
      lost(Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' })),
    )
  }
  const take = (lane: Lane, chunk: Buffer) => {
    const { job } = lane
    if (!job) return
    lane.received = lane.received.length === 0 ? chunk : Buffer.concat([lane.received, chunk])
    let answer: ReturnType<typeof parseAnswer>
    try {
      answer = parseAnswer(lane.received)
    } catch (error) {
      lane.socket.destroy(error as Error)
    }
    if (!answer) return
    lane.received = nothing
    lane.job = undefined
    job.resolve({ ...answer, writtenAtMs: job.writtenAtMs })
    if (/\r\nconnection: close/i.test(answer.head)) {
      lanes.delete(lane)
      lane.socket.destroy()
      return
    }
    const next = waiting.shift()
    if (next) begin(lane, next)
    else idle.push(lane)
  }

  return {
    exchange: (request) =>
      new Promise((resolve, reject) => {
        const job: Job = { request, writtenAtMs: NaN, resolve, reject }
        const lane = idle.pop()
        if (lane) begin(lane, job)
        else if (lanes.size < maxConnections) open(job)
        else waiting.push(job)
      }),
    close() {
      for (const { socket } of lanes) socket.destroy()
    },
  }
}

/** The answer once all of it is there. Throws for one that does not say its length. */
export function parseAnswer(received: Buffer): Omit<LightAnswer, 'writtenAtMs'> | undefined {
  const end = received.indexOf(headEnd)
  if (end === -1) return undefined
  const head = received.toString('latin1', 0, end)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined)
    throw new Error(`An answer does not say its length; the load generator reads no other:\n${head}`)
  const from = end + headEnd.length
  if (received.length < from + Number(length)) return undefined
  return {
    status: Number(head.slice(9, 12)),
    head,
    body: received.toString('utf8', from, from + Number(length)),
  }
}

/** A request as text. */
export function requestText(baseUrl: string, { method, path, headers, body }: RequestParts): string {
  const lines = Object.entries({
    host: new URL(baseUrl).host,
    ...headers,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}

interface RequestParts {
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body?: string
}
