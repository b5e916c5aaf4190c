import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { logout } from '@sumlock/contracts/auth-routes'
import { lock, reportActivity } from '@sumlock/contracts/lock-routes'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import { everyService } from '@sumlock/deployment/every-service'
import type { ServiceName } from '@sumlock/deployment/service-environment'
import { bounds } from '@sumlock/testing/bounds'
import { hangSeconds } from '@sumlock/testing/config'
import { startFaultStack } from '@sumlock/testing/faults/fault-stack'
import type { FaultStack } from '@sumlock/testing/faults/fault-stack'
import { longTimeouts } from '@sumlock/testing/long-timeouts'
import { adminPerson, unlockedPerson } from '@sumlock/testing/people'
import { scrape, sumOf } from '@sumlock/testing/scrape'
import { seatPairs } from '@sumlock/testing/seats'
import type { Seat } from '@sumlock/testing/seats'
import { connect, nextState } from '@sumlock/testing/socket'

/** Opens the inspector of a service on a free port of the loopback, which its log names. */
const inspectable = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

interface HeapUsage {
  usedSize: number
  embedderHeapUsedSize?: number
  backingStorageSize?: number
}

/** Bytes that a process started with `inspectable` still holds after a full garbage collection. */
async function liveHeap(logFile: string): Promise<number> {
  const [, address] = /Debugger listening on (ws:\S+)/.exec(await readFile(logFile, 'utf8')) ?? []
  if (address === undefined)
    throw new Error(`${logFile} names no inspector: start the service with "inspectable".`)
  const socket = new WebSocket(address)
  await once(socket, 'open')
  const call = async (id: number, method: string): Promise<unknown> => {
    socket.send(JSON.stringify({ id, method }))
    for (;;) {
      const [{ data }] = (await once(socket, 'message')) as [{ data: unknown }]
      const answer = JSON.parse(String(data)) as { id?: number; result?: unknown }
      if (answer.id === id) return answer.result
    }
  }
  try {
    await call(1, 'HeapProfiler.collectGarbage')
    const usage = (await call(2, 'Runtime.getHeapUsage')) as HeapUsage
    return usage.usedSize + (usage.embedderHeapUsedSize ?? 0) + (usage.backingStorageSize ?? 0)
  } finally {
    socket.close()
  }
}

const perSecond = 100
const pendingAtMost = 1000
/**
 * Live heap that each process may gain while Redis hangs. At 100 messages a second, hints that pile up at 2 kB each would
 * be 12 MB in one minute and 120 MB in ten (SUMLOCK_TEST_HANG_SECONDS=600).
 */
const growthAtMostMb = 8
const activityMs = 60_000
/** A machine that is too slow for the rate sends less, instead of piling up requests that say nothing about Redis. */
const inFlightAtMost = 20
const hintPublishers: readonly ServiceName[] = ['auth', 'messaging', 'realtime']

let folder: string
let stack: FaultStack
let seats: Seat[]
beforeAll(async () => {
  // The time limits of Redis are not changed.
  const env = longTimeouts(everyService(inspectable))
  folder = await mkdtemp(join(tmpdir(), 'sumlock-hang-'))
  stack = await startFaultStack({ dataDir: folder, logName: 'redis-hangs', replicas: { realtime: 2 }, env })
  seats = await seatPairs(stack, await adminPerson(stack), 5)
  for (const { person } of seats) person.client.keptToken = await person.client.csrfToken()
})
afterAll(async () => {
  for (const { device } of seats ?? []) device.close()
  await stack?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Keeps the sessions unlocked, as active people do. */
const keepUnlocked = () => Promise.all(seats.map(({ person }) => person.client.ok(reportActivity)))

/** Sends at a steady rate until `stop` and returns every status that occurred. */
function startSending() {
  const statuses = new Map<number, number>()
  const inFlight = new Set<Promise<void>>()
  let turn = 0
  const send = async () => {
    const { person, conversationId } = seats[turn++ % seats.length] as Seat
    const body = { conversationId, content: `no. ${turn}` }
    const { status } = await person.client.call(sendMessage, { body })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  const timer = setInterval(() => {
    if (inFlight.size >= inFlightAtMost) return
    const one = send().finally(() => inFlight.delete(one))
    inFlight.add(one)
  }, 1000 / perSecond)
  return async () => {
    clearInterval(timer)
    await Promise.all(inFlight)
    return statuses
  }
}

/** Live heap of each process in megabytes, garbage excluded. */
async function heaps(): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for (const { service, index } of stack.services) {
    const name = `${service}-${index + 1}`
    sizes.set(name, (await liveHeap(join(folder, 'logs', `${name}.log`))) / 1e6)
  }
  return sizes
}

const pendingNow = async () => {
  const services = stack.services.filter(({ service }) => hintPublishers.includes(service))
  const counts = await Promise.all(
    services.map(async (service) => sumOf(await scrape(service), 'redis_hints_pending')),
  )
  return Math.max(...counts)
}

/** Returns how long it took until all sockets of a session were closed; ms. */
async function closedAfter(end: typeof lock | typeof logout): Promise<number> {
  const person = await unlockedPerson(stack)
  const lives = Array.from({ length: 4 }, () => connect(person))
  await Promise.all(lives.map((live) => nextState(live, ({ connected }) => connected)))
  await person.client.ok(end)
  const startedAt = performance.now()
  await Promise.all(
    lives.map((live) => nextState(live, ({ connected }) => !connected, bounds.lockWithoutRedisMs)),
  )
  for (const live of lives) live.close()
  return performance.now() - startedAt
}

it(
  `${perSecond} messages a second go on for ${hangSeconds} s while Redis hangs, sockets close in time, and no hints pile up`,
  async () => {
    const stopSending = startSending()
    // Warm up: one-time allocations under load must precede the measurement.
    await wait(10_000)
    await stack.engines.engine('redis').kill('SIGSTOP')
    let mostPending = 0
    let ended: number[] = []
    let before: Map<string, number>
    let after: Map<string, number>
    try {
      for (const { device } of seats) await nextState(device.live, ({ degraded }) => degraded, 10_000)
      before = await heaps()
      for (let second = 0; second < hangSeconds; second += 1) {
        await wait(1000)
        mostPending = Math.max(mostPending, await pendingNow())
        if (second % (activityMs / 1000) === 0) await keepUnlocked()
        if (second === Math.floor(hangSeconds / 2))
          ended = [await closedAfter(lock), await closedAfter(logout)]
      }
      after = await heaps()
    } finally {
      await stack.engines.engine('redis').kill('SIGCONT')
    }
    const statuses = await stopSending()
    for (const { device } of seats) await nextState(device.live, ({ degraded }) => !degraded, 10_000)

    const growth = [...before].map(([name, from]) => ({ name, from, to: after.get(name) ?? Infinity }))
    const figures = growth
      .map(({ name, from, to }) => `${name} ${from.toFixed(1)} -> ${to.toFixed(1)}`)
      .join(', ')
    process.stdout.write(
      `  live MB: ${figures}; most pending ${mostPending}; closed after ${ended.map(Math.round).join(' and ')} ms; ` +
        `${[...statuses].map(([status, count]) => `${count}×${status}`).join(', ')}\n`,
    )
    expect([...statuses.keys()]).toEqual([201])
    expect(mostPending).toBeLessThanOrEqual(pendingAtMost)
    expect(growth).toHaveLength(stack.services.length)
    expect(growth.filter(({ from, to }) => to - from > growthAtMostMb)).toEqual([])
    expect(ended).toHaveLength(2)
  },
  (hangSeconds + 90) * 1000,
)
