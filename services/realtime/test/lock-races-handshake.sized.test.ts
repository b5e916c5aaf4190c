import { setTimeout as wait } from 'node:timers/promises'
import { lock } from '@sumlock/contracts/auth-routes'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import type { LiveConnection } from '@sumlock/sync/ports'
import { nameOfSize, sized, testSeed } from '@sumlock/testing/config'
import { startFaultStack } from '@sumlock/testing/faults/fault-stack'
import type { FaultStack } from '@sumlock/testing/faults/fault-stack'
import { seededRandom } from '@sumlock/testing/faults/seeded-random'
import { adminPerson, befriend, makePremium, unlock, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { connect, nextState } from '@sumlock/testing/socket'

const { victims: victimCount, rounds } = sized({
  small: { victims: 10, rounds: 2 },
  full: { victims: 20, rounds: 10 },
})
const seed = testSeed()
const random = seededRandom(seed)

interface Victim {
  person: Person
  conversationId: string
}

let stack: FaultStack
let sender: Person
const victims: Victim[] = []

beforeAll(async () => {
  stack = await startFaultStack({ logName: 'lock-races-handshake', replicas: { realtime: 2 } })
  const admin = await adminPerson(stack)
  sender = await unlockedPerson(stack)
  await makePremium(admin, sender)
  sender.client.keptToken = await sender.client.csrfToken()
  for (let count = 0; count < victimCount; count += 1) {
    const person = await unlockedPerson(stack)
    victims.push({ person, conversationId: (await befriend(sender, person)).id })
  }
})
afterAll(async () => {
  await stack?.stop()
})

/** How long a handshake takes here; ms. */
async function handshakeMs({ person }: Victim): Promise<number> {
  const startedAt = performance.now()
  const live = connect(person)
  await nextState(live, ({ connected }) => connected)
  live.close()
  return performance.now() - startedAt
}

interface Race {
  live: LiveConnection
  wasConnected: boolean
  lockedAt: number
  /** When messages came. */
  heardAt: number[]
}

/** A handshake, and a lock that begins within the time it takes. */
async function race({ person }: Victim, withinMs: number): Promise<Race> {
  const live = connect(person)
  const run: Race = { live, wasConnected: false, lockedAt: 0, heardAt: [] }
  live.subscribe({
    onState: ({ connected }) => (run.wasConnected ||= connected),
    onEvent: ({ type }) => type === 'new_message' && run.heardAt.push(performance.now()),
  })
  await wait(random() * withinMs)
  await person.client.ok(lock)
  run.lockedAt = performance.now()
  return run
}

/** Messages to everybody from before the first lock until `limitMs` and a second after the last. */
async function oneRound(limitMs: number): Promise<Race[]> {
  for (const { person } of victims) await unlock(person)
  const withinMs = 1.5 * (await handshakeMs(victims[0] as Victim))
  let isOver = false
  const sending = victims.map(async ({ conversationId }, index) => {
    for (let count = 0; !isOver; count += 1) {
      await sender.client.call(sendMessage, { body: { conversationId, content: `no. ${index}.${count}` } })
      await wait(250)
    }
  })
  const races: Race[] = []
  // Two at a time: more would make every handshake longer than any lock waits for.
  for (let from = 0; from < victims.length; from += 2) {
    const pair = victims.slice(from, from + 2)
    races.push(...(await Promise.all(pair.map((victim) => race(victim, withinMs)))))
  }
  await wait(limitMs + 1000)
  isOver = true
  await Promise.all(sending)
  return races
}

async function raceAll(limitMs: number): Promise<void> {
  const races: Race[] = []
  for (let round = 0; round < rounds; round += 1) {
    const some = await oneRound(limitMs)
    races.push(...some)
    for (const { live } of some) {
      expect(live.state.connected).toBe(false)
      live.close()
    }
  }
  const joined = races.filter(({ wasConnected }) => wasConnected).length
  process.stdout.write(
    `  seed ${seed}: ${races.length} races, ${joined} sockets joined before they were closed\n`,
  )
  expect(races).toHaveLength(rounds * victimCount)
  const tooLate = races.flatMap(({ heardAt, lockedAt }) =>
    heardAt.map((at) => Math.round(at - lockedAt)).filter((afterMs) => afterMs > limitMs),
  )
  expect(tooLate).toEqual([])
}

describe(`handshakes that race a lock (${nameOfSize})`, () => {
  it('leave no socket that hears anything a second after the lock', () => raceAll(1000))

  it('leave no socket that hears anything five seconds after the lock while Redis is dead', async () => {
    await stack.engines.engine('redis').kill('SIGKILL')
    try {
      await raceAll(5000)
    } finally {
      await stack.engines.engine('redis').start()
    }
  })
})
