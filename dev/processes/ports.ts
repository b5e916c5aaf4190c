import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// The range ends below the ports of outgoing connections (from 32768 on Linux), one of which could otherwise hold the
// port of a process that is being restarted. Browsers block none of the ports in the range.
const firstPort = 12_000
const lastPort = 31_999

/** A port is reserved for this time, within which its process must begin to listen. */
const claimMs = 120_000
const claims = join(tmpdir(), 'sumlock-ports')

/** Returns false when another process was given the port a moment ago and may not listen yet. */
function claim(port: number): boolean {
  const file = join(claims, String(port))
  mkdirSync(claims, { recursive: true, mode: 0o777 })
  try {
    if (Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > claimMs) rmSync(file)
    writeFileSync(file, '', { flag: 'wx' })
    return true
  } catch {
    return false
  }
}

/** Returns `count` different ports that were free a moment ago, and reserves them against other processes. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(firstPort, lastPort + 1)
    if (!ports.has(port) && (await canListen(port)) && claim(port)) ports.add(port)
  }
  return [...ports]
}

export function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

export async function isListening(port: number, host = '127.0.0.1'): Promise<boolean> {
  const socket = connect({ port, host })
  const connected = await once(socket, 'connect').catch(() => null)
  socket.destroy()
  return connected !== null
}

/** Returns whether the address answers a GET with success. Rejects without an answer within 2 s. */
export const answersOk = async (url: string): Promise<boolean> =>
  (await fetch(url, { signal: AbortSignal.timeout(2000) })).ok
