import type { Stack } from '@sumlock/dev/product/services'
import { nameOfSize, sized } from '../kit/config.ts'
import { startTestStack } from '../kit/engines.ts'
import { mailsFor } from '../kit/inbox.ts'
import { raiseToAffordable, startMixedLoad } from '../kit/mixed-load.ts'
import { adminPerson } from '../kit/people.ts'
import { seatPairs } from '../kit/seats.ts'
import type { Seat } from '../kit/seats.ts'
import { allPublished, expectedScreen, gapsIn, screenOf } from '../kit/stored-messages.ts'
import { eventually } from '../kit/wait.ts'

const behind = ['auth', 'messaging', 'billing', 'notify', 'realtime'] as const
const perSecond = sized({ small: { step: 15, wanted: 30 }, full: { step: 20, wanted: 100 } })
const pairs = sized({ small: 8, full: 20 })
const stopped = sized({ small: [0], full: [0, 1] }).flatMap((index) =>
  behind.map((name) => [name, index] as const),
)

let stack: Stack
let seats: Seat[]
let load: ReturnType<typeof startMixedLoad> | undefined

beforeAll(async () => {
  const replicas = Object.fromEntries(behind.map((name) => [name, 2]))
  stack = await startTestStack({ replicas })
  const admin = await adminPerson(stack)
  seats = await seatPairs(stack, admin, pairs)
  for (const { person } of seats) person.client.keptToken = await person.client.csrfToken()
}, 120_000)
afterAll(async () => {
  // It still runs after a failed test.
  await load?.stop()
  for (const { device } of seats ?? []) device.close()
  await stack?.stop()
})

it(`refuses no request and loses no message while replicas stop and come back at up to ${perSecond.wanted} requests/s (${nameOfSize})`, async () => {
  load = startMixedLoad(seats, { perSecond: 0 })
  await raiseToAffordable(load, perSecond)
  const stops: string[] = []
  for (const [name, index] of stopped) {
    const replica = stack.service(name, index)
    load.during(`${name}-${index + 1} stopping`)
    const startedAt = performance.now()
    await replica.stop()
    const tookMs = performance.now() - startedAt
    stops.push(`${replica.name} ${(tookMs / 1000).toFixed(1)}`)
    // It stopped by itself, well before the supervisor would kill it.
    expect(tookMs).toBeLessThan(12_000)
    load.during(`${name}-${index + 1} starting`)
    await replica.start()
  }
  const { requests, sent, phones, failures } = await load.stop()
  process.stderr.write(
    `  ${requests} requests, ${sent.length} of them messages; seconds to stop: ${stops.join(', ')}\n`,
  )
  expect(failures).toEqual([])

  const stored = await allPublished(stack, { timeoutMs: 20_000 })
  expect(gapsIn(stored)).toEqual([])
  expect(stored.map(({ content }) => content).sort()).toEqual([...sent].sort())
  for (const seat of seats) {
    await eventually(() => expect(screenOf(seat)).toEqual(expectedScreen(stored, seat)), {
      timeoutMs: 20_000,
    })
  }
  for (const phone of phones) {
    const mails = () => mailsFor(stack.addresses.inboxUrl, `${phone}@sms.local`)
    await eventually(async () => expect(await mails()).toHaveLength(1), { timeoutMs: 20_000 })
  }
}, 300_000)
