import { connect } from 'node:net'
import { kafkaServes } from './kafka.ts'
import { isPrimary } from './mongo.ts'

/** How to ask a part whether it does its work. */
export type Probe =
  { kind: 'http'; url: string; port: number } | { kind: 'mongo' | 'kafka' | 'redis'; port: number }

const timeoutMs = 3000

/** Asks; answers `ok`, or what is wrong in a few words. Never throws, never takes longer than 3 s or so. */
export async function askProbe(probe: Probe): Promise<string> {
  const late = new Promise<string>((resolve) =>
    setTimeout(resolve, timeoutMs, `no answer within ${timeoutMs / 1000} s`).unref(),
  )
  try {
    return await Promise.race([ask(probe), late])
  } catch (error) {
    const { cause, message, code } = error as Error & { code?: string; cause?: { code?: string } }
    return cause?.code ?? code ?? message
  }
}

async function ask(probe: Probe): Promise<string> {
  switch (probe.kind) {
    case 'http':
      return askHttp(probe.url)
    case 'mongo':
      return (await isPrimary(probe.port)) ? 'ok' : 'not primary'
    case 'kafka':
      return (await kafkaServes(probe.port)) ? 'ok' : 'no broker'
    case 'redis':
      return askRedis(probe.port)
  }
}

async function askHttp(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
  if (response.ok) return 'ok'
  const body = (await response.json().catch(() => ({}))) as { failing?: Record<string, string> }
  const failing = Object.entries(body.failing ?? {}).map(([name, why]) => `${name}: ${why}`)
  return failing.join('; ') || `status ${response.status}`
}

function askRedis(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no answer')))
    socket.once('error', reject)
    socket.once('data', (data) => {
      const answer = data.toString().trim()
      resolve(answer === '+PONG' ? 'ok' : answer)
      socket.destroy()
    })
  })
}
