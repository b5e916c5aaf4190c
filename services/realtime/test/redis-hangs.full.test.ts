import { setTimeout as wait } from 'node:timers/promises'
import { lock, logout } from '@sumlock/contracts/auth-routes'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import type { ServiceName } from '@sumlock/deployment/service-environment'
import { hangSeconds } from '@sumlock/testing/config'
import { startFaultStack } from '@sumlock/testing/faults/fault-stack'
import type { FaultStack } from '@sumlock/testing/faults/fault-stack'
import { adminPerson, unlockedPerson } from '@sumlock/testing/people'
import { longTimeouts } from '@sumlock/testing/long-timeouts'
import { scrape, sumOf } from '@sumlock/testing/scrape'
import { seatPairs } from '@sumlock/testing/seats'
import type { Seat } from '@sumlock/testing/seats'
import { connect, nextState } from '@sumlock/testing/socket'

const perSecond = 100
const pendingAtMost = 1000
/**
 * By how much the memory in use may grow between the first and the last looks. Coarse, because a heap that was small at
 * first grows to its usual size under load (messaging by 30 MB and more): the exact bound is that on pending hints. Ten
 * minutes of hints that pile up at 2 kB each would be 120 MB (SUMLOCK_TEST_HANG_SECONDS=600).
 */
const growthAtMostMb = 64
/** How many looks, a second apart, see at least one collection of the whole heap. */
const windowSeconds = 20
/** A machine that is too slow for the rate sends less, instead of piling up requests that say nothing about Redis. */
const inFlightAtMost = 20
const hintPublishers: readonly ServiceName[] = ['auth', 'messaging', 'realtime']

let stack: FaultStack
let seats: Seat[]
beforeAll(async () => {
  stack = await startFaultStack({ logName: 'redis-hangs', replicas: { realtime: 2 }, env: longTimeouts() })
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

/** Megabytes in use in each process, garbage included. */
const inUse = async () => {
  const sizes = await Promise.all(
    stack.services.map(async (service) => {
      const figures = await scrape(service)
      const bytes =
        sumOf(figures, 'nodejs_heap_size_used_bytes') + sumOf(figures, 'nodejs_external_memory_bytes')
      return [`${service.service}-${service.index + 1}`, bytes / 1e6] as const
    }),
  )
  return new Map(sizes)
}

/** The least of several looks: what was still in use after a collection. */
const held = (looks: readonly Map<string, number>[], name: string) =>
  Math.round(Math.min(...looks.map((look) => look.get(name) ?? Infinity)))

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
  `${perSecond} messages a second go on for ${hangSeconds} s while Redis hangs, sockets close in time, and no hints pile up`,
  async () => {
    const stopSending = startSending()
    // Whatever a process allocates once under load it has allocated before the measurement.
    await wait(10_000)
    await stack.engines.engine('redis').kill('SIGSTOP')
    let mostPending = 0
    let ended: number[] = []
    const looks: Map<string, number>[] = []
    try {
      for (const { device } of seats) await nextState(device.live, ({ degraded }) => degraded, 10_000)
      for (let second = 0; second < hangSeconds; second += 1) {
        await wait(1000)
        mostPending = Math.max(mostPending, await pendingNow())
        looks.push(await inUse())
        if (second === Math.floor(hangSeconds / 2))
          ended = [await closedAfter(lock), await closedAfter(logout)]
      }
    } finally {
      await stack.engines.engine('redis').kill('SIGCONT')
    }
    const statuses = await stopSending()
    for (const { device } of seats) await nextState(device.live, ({ degraded }) => !degraded, 10_000)

    const names = stack.services.map(({ service, index }) => `${service}-${index + 1}`)
    const growth = names.map((name) => {
      const [before, after] = [looks.slice(0, windowSeconds), looks.slice(-windowSeconds)]
      return { name, from: held(before, name), to: held(after, name) }
    })
    const figures = growth.map(({ name, from, to }) => `${name} ${from} -> ${to}`).join(', ')
    process.stdout.write(
      `  MB held: ${figures}; most pending ${mostPending}; closed after ${ended.map(Math.round).join(' and ')} ms; ` +
        `${[...statuses].map(([status, count]) => `${count}×${status}`).join(', ')}\n`,
    )
    expect([...statuses.keys()]).toEqual([201])
    expect(mostPending).toBeLessThanOrEqual(pendingAtMost)
    expect(growth.filter(({ from, to }) => to - from > growthAtMostMb)).toEqual([])
    expect(ended).toHaveLength(2)
  },
  (hangSeconds + 90) * 1000,
)
