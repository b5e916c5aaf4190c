import { randomUUID } from 'node:crypto'
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

it('reports a consumer whose handler hangs, and measures its lag', async () => {
  const errors: string[] = []
  let release: () => void = () => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  const onFatal = ({ message }: Error) => void errors.push(message)
  bed.consume(({ version }) => (version === 2 ? gate : undefined), { onFatal, metrics, watch })
  await bed.bus.publish(records(4))
  await eventually(() => expect(errors.length).toBeGreaterThan(0))
  expect(errors[0]).toMatch(/took no record of t\w+\.auth\.users\/[012] for 0\.5 s although some are pending/)
  expect(await figure('consumer_lag_records')).toBe(3)
  release()
  await eventually(async () => expect(await figure('consumer_lag_records')).toBe(0))
})

it('does not report a consumer that waits for a dependency, and counts its attempts', async () => {
  const errors: Error[] = []
  let isAway = true
  const handle = () => {
    if (isAway) throw unavailable('the database')
  }
  bed.consume(handle, {
    onFatal: (error) => void errors.push(error),
    metrics,
    // A fetch of the other partitions may wait when the pause ends.
    watch: { everyMs: 50, stallMs: fetchWaitMs + 500 },
  })
  await bed.bus.publish(records(1))
  // The pause before the sixth attempt takes 3200 ms: longer than the time after which it would count as stalled.
  await eventually(async () => expect(await figure('consumer_retries_total')).toBeGreaterThanOrEqual(6))
  expect(await figure('consumer_lag_records')).toBe(1)
  isAway = false
  await eventually(async () => expect(await figure('consumer_lag_records')).toBe(0))
  expect(errors).toEqual([])
})

it('counts dead letters', async () => {
  bed.consume(() => Promise.reject(new Error('never')), { metrics, watch })
  await bed.bus.publish(records(2))
  await eventually(async () => expect(await figure('consumer_dead_letters_total')).toBe(2))
})
