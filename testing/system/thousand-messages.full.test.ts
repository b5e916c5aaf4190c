import { setTimeout as wait } from 'node:timers/promises'
import type { Stack } from '@sumlock/dev/product/services'
import { startTestStack } from '../kit/engines.ts'
import { nameOfSize, sized } from '../kit/config.ts'
import { adminPerson } from '../kit/people.ts'
import { seatPairs } from '../kit/seats.ts'
import type { Seat } from '../kit/seats.ts'
import { nextState } from '../kit/socket.ts'
import { expectedScreen, gapsIn, screenOf, storedMessages } from '../kit/stored-messages.ts'
import { eventually } from '../kit/wait.ts'

const { pairs, messagesPerPerson } = sized({
  small: { pairs: 4, messagesPerPerson: 25 },
  full: { pairs: 10, messagesPerPerson: 50 },
})
const total = pairs * 2 * messagesPerPerson
/** Pause between two messages of one person, so that the outage falls into the sending. */
const paceMs = 200

let stack: Stack
beforeAll(async () => {
  stack = await startTestStack({ replicas: { messaging: 2, realtime: 2, notify: 0 } })
})
let seats: Seat[] = []
afterAll(async () => {
  for (const { device } of seats) device.close()
  await stack.stop()
})

it(`stores ${total} messages once and without gaps, and shows them on every screen, while realtime is killed and started (${nameOfSize})`, async () => {
  const admin = await adminPerson(stack)
  seats = await seatPairs(stack, admin, pairs)
  const acknowledged: string[] = []
  for (const { device } of seats) device.outbox.onStored(({ id }) => acknowledged.push(id))
  const acknowledgedReach = (count: number) =>
    eventually(() => expect(acknowledged.length).toBeGreaterThanOrEqual(count), { timeoutMs: 60_000 })
  const realtime = stack.services.filter(({ service }) => service === 'realtime')

  const outage = async () => {
    await acknowledgedReach(0.3 * total)
    await Promise.all(realtime.map((instance) => instance.kill('SIGKILL')))
    await acknowledgedReach(0.6 * total)
    await Promise.all(realtime.map((instance) => instance.start()))
    await Promise.all(seats.map(({ device }) => nextState(device.live, ({ connected }) => connected)))
    return acknowledged.length
  }
  const sending = seats.map(async ({ view }, seat) => {
    for (let number = 1; number <= messagesPerPerson; number += 1) {
      view.send({ messageType: 'text', content: `${seat}/${number}` })
      await wait(paceMs)
    }
  })
  await Promise.all([outage(), ...sending])
  await acknowledgedReach(total)

  const stored = await storedMessages(stack)
  expect(stored).toHaveLength(total)
  expect(new Set(stored.map(({ messageId }) => messageId))).toEqual(new Set(acknowledged))
  expect(acknowledged).toHaveLength(total)
  expect(gapsIn(stored)).toEqual([])
  for (const seat of seats) {
    const own = stored.filter(({ senderId }) => senderId === seat.person.user.id)
    // One person's messages keep the order in which they were written.
    expect(own.map(({ content }) => Number(content.split('/')[1]))).toEqual(own.map((_, index) => index + 1))
    await eventually(() => expect(screenOf(seat)).toEqual(expectedScreen(stored, seat)))
    expect(seat.device.outbox.items).toEqual([])
  }

  const sum = (source: 'receivedBySocket' | 'receivedByFetch') =>
    seats.reduce((count, { view }) => count + view.stats[source], 0)
  const counts = { bySocket: sum('receivedBySocket'), byFetch: sum('receivedByFetch') }
  process.stdout.write(`  received by socket: ${counts.bySocket}, by fetch: ${counts.byFetch}\n`)
  expect(counts.bySocket).toBeGreaterThan(0)
  expect(counts.byFetch).toBeGreaterThan(0)
})
