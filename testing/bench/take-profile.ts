import { setTimeout as wait } from 'node:timers/promises'
import type { CpuProfile } from './cpu-profile.ts'

const intervalMicroseconds = 500
const answerWithinMs = 30_000

interface Target {
  webSocketDebuggerUrl: string
}

/** Begins to record what a process with an open inspector does; `stop` answers with the record. */
export async function takeProfile(port: number): Promise<{ stop(): Promise<CpuProfile> }> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as Target[]
  const [target] = targets
  if (!target)
    throw new Error(`No process lets itself be inspected on port ${port}. Was it started with --inspect?`)
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error(`The inspector on port ${port} hung up.`)))
  })
  let lastId = 0
  const call = async (method: string, params: Record<string, unknown> = {}): Promise<unknown> => {
    const id = (lastId += 1)
    const answer = new Promise<unknown>((resolve, reject) => {
      const listen = ({ data }: MessageEvent) => {
        const said = JSON.parse(String(data)) as {
          id?: number
          result?: unknown
          error?: { message: string }
        }
        if (said.id !== id) return
        socket.removeEventListener('message', listen)
        if (said.error) reject(new Error(`The inspector refused ${method}: ${said.error.message}`))
        else resolve(said.result)
      }
      socket.addEventListener('message', listen)
    })
    socket.send(JSON.stringify({ id, method, params }))
    const tooLate = new AbortController()
    return Promise.race([
      answer,
      wait(answerWithinMs, undefined, { signal: tooLate.signal }).then(() => {
        throw new Error(`The inspector did not answer ${method} within ${answerWithinMs} ms.`)
      }),
    ]).finally(() => tooLate.abort())
  }
  await call('Profiler.enable')
  await call('Profiler.setSamplingInterval', { interval: intervalMicroseconds })
  await call('Profiler.start')
  return {
    async stop() {
      const { profile } = (await call('Profiler.stop')) as { profile: CpuProfile }
      socket.close()
      return profile
    },
  }
}
