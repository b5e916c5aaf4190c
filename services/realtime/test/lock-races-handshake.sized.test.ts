import { setTimeout as wait } from 'node:timers/promises'
import { lock } from '@sumlock/contracts/lock-routes'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import type { LiveConnection } from '@sumlock/sync/ports'
import { bounds } from '@sumlock/testing/bounds'
import { nameOfSize, sized, testSeed, testSize } from '@sumlock/testing/config'
import { startFaultStack } from '@sumlock/testing/faults/fault-stack'
import type { FaultStack } from '@sumlock/testing/faults/fault-stack'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { seededRandom } from '@sumlock/testing/faults/seeded-random'
import { longTimeouts } from '@sumlock/testing/long-timeouts'
import {
  adminPerson,
  befriend,
  makePremium,
  retryUnavailable,
  unlock,
  unlockedPerson,
} from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { connect, nextState } from '@sumlock/testing/socket'

const { victims: victimCount, rounds } = sized({
  small: { victims: 10, rounds: 1 },
  // Each round waits for its limit once, so there are few rounds with many people.
  full: { victims: 40, rounds: 5 },
})
/** The full size sends 80 messages a second; each victim receives more than one in the second after the limit. */
const sendEveryMs = sized({ small: 250, full: 500 })
const seed = testSeed()
const random = seededRandom(seed)

interface Victim {
  person: Person
  conversationId: string
}

/** Engines of its own, because the full size kills Redis. */
let faultStack: FaultStack | undefined
let stack: RunningStack
let sender: Person
const victims: Victim[] = []

beforeAll(async () => {
  if (testSize === 'full')
    faultStack = await startFaultStack({
      logName: 'lock-races-handshake',
      replicas: { realtime: 2 },
      env: longTimeouts(),
    })
  stack = faultStack ?? (await sharedStack())
  const admin = await adminPerson(stack)
  sender = await unlockedPerson(stack)
  await makePremium(admin, sender)
  sender.client.keptToken = await sender.client.csrfToken()
  for (let count = 0; count < victimCount; count += 1) {
    const person = await unlockedPerson(stack)
    // If it were fetched for each change, it would take most of the time of a lock.
    person.client.keptToken = await person.client.csrfToken()
    victims.push({ person, conversationId: (await befriend(sender, person)).id })
  }
})
afterAll(async () => {
  await faultStack?.stop()
})

/** The times of a handshake and a lock on this machine, in ms. */
async function measure({ person }: Victim): Promise<{ handshakeMs: number; lockMs: number }> {
  const startedAt = performance.now()
  const live = connect(person)
  await nextState(live, ({ connected }) => connected)
  const connectedAt = performance.now()
  live.close()
  await retryUnavailable(() => person.client.ok(lock))
  const lockedAt = performance.now()
  return { handshakeMs: connectedAt - startedAt, lockMs: lockedAt - connectedAt }
}

interface Race {
  live: LiveConnection
  wasConnected: boolean
  lockedAt: number
  /** When messages arrived. */
  heardAt: number[]
}

/** A handshake and a lock that overlap: one begins at a random moment while the other takes place. */
async function race({ person }: Victim, took: { handshakeMs: number; lockMs: number }): Promise<Race> {
  const headStartMs = random() * (took.handshakeMs + took.lockMs) - took.lockMs
  const locking = wait(Math.max(headStartMs, 0)).then(async () => {
    await retryUnavailable(() => person.client.ok(lock))
    return performance.now()
  })
  await wait(Math.max(-headStartMs, 0))
  const live = connect(person)
  const run: Race = { live, wasConnected: false, lockedAt: 0, heardAt: [] }
  live.subscribe({
    onState: ({ connected }) => (run.wasConnected ||= connected),
    onEvent: ({ type }) => type === 'new_message' && run.heardAt.push(performance.now()),
  })
  run.lockedAt = await locking
  return run
}

/** Sends messages to all victims from before the first lock until `limitMs` and one second after the last. */
async function oneRound(limitMs: number): Promise<Race[]> {
  for (const { person } of victims) await retryUnavailable(() => unlock(person))
  const took = await measure(victims[0] as Victim)
  await retryUnavailable(() => unlock((victims[0] as Victim).person))
  let isOver = false
  const sending = victims.map(async ({ conversationId }, index) => {
    for (let count = 0; !isOver; count += 1) {
      await sender.client.call(sendMessage, { body: { conversationId, content: `no. ${index}.${count}` } })
      await wait(sendEveryMs)
    }
  })
  const races: Race[] = []
  // Two run at a time, because more would make every handshake longer than any lock waits.
  for (let from = 0; from < victims.length; from += 2) {
    const pair = victims.slice(from, from + 2)
    races.push(...(await Promise.all(pair.map((victim) => race(victim, took)))))
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
  it('leave no socket that receives anything a second after the lock', () => raceAll(bounds.lockMs))

  // Fifteen seconds a round: too long for the small size. `revocation.full.test.ts` shows the bound itself.
  if (testSize === 'full')
    it('leave no socket that receives anything five seconds after the lock while Redis is dead', async () => {
      const redis = (faultStack as FaultStack).engines.engine('redis')
      await redis.kill('SIGKILL')
      try {
        await raceAll(bounds.lockWithoutRedisMs)
      } finally {
        await redis.start()
      }
    })
})
