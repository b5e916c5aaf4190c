import { setTimeout as wait } from 'node:timers/promises'
import { lock, logout } from '@sumlock/contracts/auth-routes'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import type { ServiceName } from '@sumlock/stack/service-environment'
import { hangSeconds } from '@sumlock/testing/config'
import { startFaultStack } from '@sumlock/testing/faults/fault-stack'
import type { FaultStack } from '@sumlock/testing/faults/fault-stack'
import { adminPerson, unlockedPerson } from '@sumlock/testing/people'
import { scrape, sumOf } from '@sumlock/testing/scrape'
import { seatPairs } from '@sumlock/testing/seats'
import type { Seat } from '@sumlock/testing/seats'
import { connect, nextState } from '@sumlock/testing/socket'

const perSecond = 100
const pendingAtMost = 1000
/** What a process may grow by while it handles 100 messages a second; hints that pile up at 2 kB each are 12 MB a minute. */
const growthAtMostMb = 60
const hintPublishers: readonly ServiceName[] = ['auth', 'messaging', 'realtime']

let stack: FaultStack
let seats: Seat[]
beforeAll(async () => {
  stack = await startFaultStack({ logName: 'redis-hangs', replicas: { realtime: 2 } })
  seats = await seatPairs(stack, await adminPerson(stack), 5)
  for (const { person } of seats) person.client.keptToken = await person.client.csrfToken()
})
afterAll(async () => {
  for (const { device } of seats ?? []) device.close()
  await stack?.stop()
})

/** Sends at a steady rate until `stop`, and answers with every status there was. */
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
    const one = send().finally(() => inFlight.delete(one))
    inFlight.add(one)
  }, 1000 / perSecond)
  return async () => {
    clearInterval(timer)
    await Promise.all(inFlight)
    return statuses
  }
}

const megabytes = async () => {
  const sizes = await Promise.all(
    stack.services.map(async (service) => {
      const bytes = sumOf(await scrape(service), 'process_resident_memory_bytes')
      return [`${service.service}-${service.index + 1}`, Math.round(bytes / 1e6)] as const
    }),
  )
  return new Map(sizes)
}

const pendingNow = async () => {
  const services = stack.services.filter(({ service }) => hintPublishers.includes(service))
  const counts = await Promise.all(
    services.map(async (service) => sumOf(await scrape(service), 'redis_hints_pending')),
  )
  return Math.max(...counts)
}

/** How long it took until all sockets of a session were closed; ms. */
async function closedAfter(end: typeof lock | typeof logout): Promise<number> {
  const person = await unlockedPerson(stack)
  const lives = Array.from({ length: 4 }, () => connect(person))
  await Promise.all(lives.map((live) => nextState(live, ({ connected }) => connected)))
  await person.client.ok(end)
  const startedAt = performance.now()
  await Promise.all(lives.map((live) => nextState(live, ({ connected }) => !connected, 5000)))
  for (const live of lives) live.close()
  return performance.now() - startedAt
}

it(
  `${perSecond} messages a second go on for ${hangSeconds} s while Redis hangs, sockets close in time, and no process grows`,
  async () => {
    const stopSending = startSending()
    // Whatever a process allocates once under load it has allocated before the measurement.
    await wait(10_000)
    await stack.engines.engine('redis').kill('SIGSTOP')
    let mostPending = 0
    let ended: number[] = []
    let before = new Map<string, number>()
    let after: typeof before
    try {
      for (const { device } of seats) await nextState(device.live, ({ degraded }) => degraded, 10_000)
      before = await megabytes()
      for (let second = 0; second < hangSeconds; second += 1) {
        await wait(1000)
        mostPending = Math.max(mostPending, await pendingNow())
        if (second === Math.floor(hangSeconds / 2))
          ended = [await closedAfter(lock), await closedAfter(logout)]
      }
      after = await megabytes()
    } finally {
      await stack.engines.engine('redis').kill('SIGCONT')
    }
    const statuses = await stopSending()
    for (const { device } of seats) await nextState(device.live, ({ degraded }) => !degraded, 10_000)

    const growth = [...after].map(([name, size]) => [name, size - (before.get(name) ?? 0)] as const)
    const figures = growth.map(([name, mb]) => `${name} ${before.get(name)}+${mb}`).join(', ')
    process.stdout.write(
      `  MB: ${figures}; most pending ${mostPending}; closed after ${ended.map(Math.round).join(' and ')} ms; ` +
        `${[...statuses].map(([status, count]) => `${count}×${status}`).join(', ')}\n`,
    )
    expect([...statuses.keys()]).toEqual([201])
    expect(mostPending).toBeLessThanOrEqual(pendingAtMost)
    expect(growth.filter(([, mb]) => mb > growthAtMostMb)).toEqual([])
    expect(ended).toHaveLength(2)
  },
  (hangSeconds + 90) * 1000,
)
