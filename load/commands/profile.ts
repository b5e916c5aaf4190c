import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { repoRoot } from '@sumlock/dev/config'
import { isSupervised, readRunRecord } from '@sumlock/dev/processes/run-record'
import { dataFolder } from '@sumlock/dev/product/product-options'
import { failWith, progress } from '@sumlock/dev/product/terminal'

interface CallFrame {
  functionName: string
  url: string
}

interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame }[]
  /** Node ids, and the microseconds since the sample before. */
  samples: number[]
  timeDeltas: number[]
}

const inspector = 'http://127.0.0.1:9229/json/list'
const seconds = 20
const folder = join(repoRoot, 'artifacts/profiles')

// Records the services of the started product one after the other while `npm run load -- send` drives them.
try {
  const record = readRunRecord(dataFolder(undefined))
  if (!record || !isSupervised(record)) throw new Error('The product is not running: npm start.')
  await mkdir(folder, { recursive: true })
  for (const name of ['gateway-1', 'messaging-1', 'realtime-1']) {
    const pid = record.parts.find((part) => part.name === name)?.pid
    if (!pid) throw new Error(`${name} is not running.`)
    progress(`${name} for ${seconds} s …`)
    const profile = await recordProcess(pid)
    await writeFile(join(folder, `${name}.cpuprofile`), JSON.stringify(profile))
    process.stdout.write(`\n### ${name}\n\n${topTable(profile)}\n`)
  }
  progress(`Chromium's developer tools open the records: ${folder}`)
} catch (error) {
  failWith(error)
}

/** SIGUSR1 makes Node open its inspector; `_debugEnd` closes it, so that the next process can use the port. */
async function recordProcess(pid: number): Promise<CpuProfile> {
  process.kill(pid, 'SIGUSR1')
  let url: string | undefined
  for (let tries = 0; tries < 50 && url === undefined; tries += 1) {
    await wait(100)
    const answer = await fetch(inspector).catch(() => undefined)
    url = ((await answer?.json()) as { webSocketDebuggerUrl: string }[] | undefined)?.[0]
      ?.webSocketDebuggerUrl
  }
  if (url === undefined) throw new Error(`Process ${pid} opened no inspector on port 9229.`)
  const socket = new WebSocket(url)
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  const call = (id: number, method: string, params = {}) =>
    new Promise<unknown>((resolve) => {
      socket.addEventListener('message', ({ data }) => {
        const answer = JSON.parse(String(data)) as { id?: number; result?: unknown }
        if (answer.id === id) resolve(answer.result)
      })
      socket.send(JSON.stringify({ id, method, params }))
    })
  await call(1, 'Profiler.enable')
  await call(2, 'Profiler.setSamplingInterval', { interval: 500 })
  await call(3, 'Profiler.start')
  await wait(seconds * 1000)
  const { profile } = (await call(4, 'Profiler.stop')) as { profile: CpuProfile }
  socket.send(
    JSON.stringify({ id: 5, method: 'Runtime.evaluate', params: { expression: 'process._debugEnd()' } }),
  )
  await new Promise((resolve) => socket.addEventListener('close', resolve, { once: true }))
  return profile
}

/** The package, the part of Node or the file of ours that a function belongs to. */
function moduleOf({ url, functionName }: CallFrame): string {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native'
  const [, ourFile] = /\/((?:libs|services)\/(?!.*\/node_modules\/).*)$/.exec(url) ?? []
  const [, installed] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  return installed ?? ourFile ?? url
}

/** Self time by module, without idle time, as a Markdown table. */
function topTable({ nodes, samples, timeDeltas }: CpuProfile): string {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const selfTimes = new Map<string, number>()
  let busy = 0
  samples.forEach((id, index) => {
    const frame = frames.get(id)
    if (!frame || frame.functionName === '(idle)') return
    // A sample stands for the time until the next one.
    const delta = Math.max(0, timeDeltas[index + 1] ?? 0)
    busy += delta
    selfTimes.set(moduleOf(frame), (selfTimes.get(moduleOf(frame)) ?? 0) + delta)
  })
  const rows = [...selfTimes].sort(([, left], [, right]) => right - left).slice(0, 15)
  const lines = rows.map(([name, self]) => `| ${name} | ${((100 * self) / busy).toFixed(1)} % |`)
  return ['| Module (self time) | of busy time |', '| --- | --: |', ...lines].join('\n')
}
