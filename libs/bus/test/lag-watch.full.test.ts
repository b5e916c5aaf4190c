import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { fetchWaitMs } from '@sumlock/bus/fetch-health'
import { unavailable } from '@sumlock/service-kit/app-error'
import { eventually } from '@sumlock/testing/wait'
import { Registry } from 'prom-client'
import { personRecord, startBed } from './bed.ts'
import type { Bed } from './bed.ts'

const watch = { everyMs: 50, stallMs: 500 }
let bed: Bed
let metrics: Registry
beforeEach(async () => {
  bed = await startBed()
  metrics = new Registry()
})
afterEach(() => bed.stop())

/** The sum of a metric over its partitions; NaN before it was measured. */
async function figure(name: string): Promise<number> {
  const { values = [] } = (await metrics.getSingleMetric(name)?.get()) ?? {}
  return values.length === 0 ? Number.NaN : values.reduce((sum, { value }) => sum + value, 0)
}
const records = (count: number) => {
  const person = randomUUID()
  return Array.from({ length: count }, (_, index) => personRecord(person, index + 1))
}

it('reports a handler that runs for too long, and measures the lag', async () => {
  const errors: string[] = []
  const gate = Promise.withResolvers<void>()
  const onFatal = ({ message }: Error) => void errors.push(message)
  const handle = ({ version }: { version: number }) => (version === 2 ? gate.promise : undefined)
  await bed.consume(handle, { onFatal, metrics, watch: { ...watch, handlerMs: 1500 } }).ready
  await bed.bus.publish(records(4))
  await eventually(() => expect(errors.length).toBeGreaterThan(0))
  expect(errors[0]).toMatch(/has been handling one event for \d+(\.\d+)? s/)
  expect(await figure('consumer_lag_records')).toBe(3)
  gate.resolve()
  await eventually(async () => expect(await figure('consumer_lag_records')).toBe(0))
})

it('does not report the partitions that wait while a handler works longer than a stalled consumer may rest', async () => {
  const errors: string[] = []
  let handled = 0
  const handle = async () => {
    handled += 1
    if (handled === 1) await wait(4 * watch.stallMs)
  }
  await bed.consume(handle, { onFatal: ({ message }) => void errors.push(message), metrics, watch }).ready
  // Each person probably has a partition of their own, so the events of two wait for the handler of the third.
  await bed.bus.publish(Array.from({ length: 30 }, () => personRecord(randomUUID(), 1)))
  await eventually(() => expect(handled).toBe(30))
  expect(errors).toEqual([])
})

it('does not report a consumer that waits for a dependency, and counts its attempts', async () => {
  const errors: Error[] = []
  let isAway = true
  const handle = () => {
    if (isAway) throw unavailable('the database')
  }
  const subscription = bed.consume(handle, {
    onFatal: (error) => void errors.push(error),
    metrics,
    // A fetch of the other partitions may wait when the pause ends.
    watch: { everyMs: 50, stallMs: fetchWaitMs + 500 },
  })
  await subscription.ready
  await bed.bus.publish(records(1))
  // The pause before the sixth attempt takes 3200 ms, longer than the time after which it would count as stalled.
  await eventually(async () => expect(await figure('consumer_retries_total')).toBeGreaterThanOrEqual(6))
  expect(await figure('consumer_lag_records')).toBe(1)
  isAway = false
  await eventually(async () => expect(await figure('consumer_lag_records')).toBe(0))
  expect(errors).toEqual([])
})

it('counts dead letters', async () => {
  await bed.consume(() => Promise.reject(new Error('never')), { metrics, watch }).ready
  await bed.bus.publish(records(2))
  await eventually(async () => expect(await figure('consumer_dead_letters_total')).toBe(2))
})
