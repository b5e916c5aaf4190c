import { userUpdated } from '@sumlock/contracts/auth-events'
import type { KafkaMessage } from 'kafkajs'
import type { Bus } from './bus.ts'
import { hintedHeader, toRecord } from './envelope.ts'
import { on } from './handler.ts'
import { createSettler } from './settle-event.ts'

const bus = { namespace: 'x', logger: { debug() {}, error() {} } } as unknown as Bus
const person = { userId: 'c56a4180-65aa-42ec-a945-5fd21dec0538' }
const { value } = toRecord(userUpdated, person, { source: 'auth', time: new Date(), id: 'e' })

async function isHandled(ageMs: number, headers: Record<string, string> = {}): Promise<boolean> {
  let handled = false
  const handlers = [on(userUpdated, () => Promise.resolve(void (handled = true)))]
  const settle = createSettler(bus, { group: 'g', handlers, skipsHinted: true, skipsOlderThanMs: 60_000 })
  const message = { value: Buffer.from(value), headers, timestamp: String(Date.now() - ageMs) }
  await settle('x.auth.users', 0, message as unknown as KafkaMessage)
  return handled
}

it.each([
  ['a fresh event', 0, {}, true],
  ['one of which Redis took the hints', 0, { [hintedHeader]: '1' }, false],
  ['one just younger than the limit', 50_000, {}, true],
  ['one older than the limit', 70_000, {}, false],
])('skips an event as its options say: %s', async (_what, ageMs, headers, expected) => {
  expect(await isHandled(ageMs, headers)).toBe(expected)
})
