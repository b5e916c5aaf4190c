import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '@sumlock/service-kit/clock'
import { jobsMigration } from '@sumlock/service-kit/job-store'
import type { Job } from '@sumlock/service-kit/job-store'
import { openJobs } from '@sumlock/service-kit/jobs'
import type { JobKind, Jobs } from '@sumlock/service-kit/jobs'
import { createLogger } from '@sumlock/service-kit/logger'
import { createMetrics } from '@sumlock/service-kit/metrics'
import { transact } from '@sumlock/service-kit/transact'
import { openOwnDatabase } from '@sumlock/testing/own-database'
import { eventually } from '@sumlock/testing/wait'
import type { Connection } from 'mongoose'

const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' })
const clock = systemClock()

let connection: Connection
let close: () => Promise<void>
beforeAll(async () => {
  ;({ connection, close } = await openOwnDatabase('notify', logger))
  await jobsMigration.up(connection)
})
afterAll(() => close?.())

const rows = () => connection.collection<Job>('jobs')
const openProcess = (name: string, nowMs = clock.nowMs) => {
  const closers: (() => unknown)[] = []
  const metrics = createMetrics('test')
  const jobs = openJobs(
    {
      config: { INSTANCE: name },
      clock: { nowMs, now: () => new Date(nowMs()) },
      logger,
      metrics,
      onClose: (close) => void closers.push(close),
    },
    connection,
    ['count'],
  )
  return { ...jobs, metrics, stop: () => Promise.all(closers.map((close) => close())) }
}

let first: ReturnType<typeof openProcess>
let second: ReturnType<typeof openProcess>
beforeEach(async () => {
  await rows().deleteMany({})
  await connection.collection('leases').deleteMany({})
  ;[first, second] = [openProcess('first'), openProcess('second')]
})
afterEach(() => Promise.all([first.stop(), second.stop()]))

interface Count {
  to: number
}

/** Counts to the number of its request, and writes down each part and each end. */
function counting(onPart: (part: string) => Promise<void> | void = () => undefined) {
  const done: string[] = []
  const count: JobKind<Count, { at: number }> = {
    async part({ subject, request, progress }) {
      const at = (progress?.at ?? 0) + 1
      if (at > request.to) {
        done.push(`${subject} ended`)
        return undefined
      }
      await onPart(`${subject}${at}`)
      done.push(`${subject}${at}`)
      return { at }
    },
  }
  return { done, kinds: { count } }
}
const request = ({ request }: Pick<Jobs<'count'>, 'request'>, subject: string, to: number) =>
  request('count', subject, { to } satisfies Count)

it('does one part after the other, each job in its turn, and removes what has ended', async () => {
  await request(first, 'a', 3)
  await request(first, 'b', 1)
  const { done, kinds } = counting()
  await first.run(kinds)
  expect(done).toEqual(['a1', 'b1', 'a2', 'b ended', 'a3', 'a ended'])
  expect(await rows().countDocuments()).toBe(0)
})

it('rests after each part for as long as it took', async () => {
  const times: number[] = []
  const { kinds } = counting(async () => {
    times.push(performance.now())
    await wait(60)
    times.push(performance.now())
  })
  await request(first, 'a', 3)
  await first.run(kinds)
  for (const [start, end, next] of [times.slice(0, 3), times.slice(2, 5)] as [number, number, number][])
    expect(next - end).toBeGreaterThan(0.9 * (end - start))
})

it('continues in another process from the progress of a stopped one, and ends a job once', async () => {
  const stopping = new AbortController()
  const stopAt2 = (part: string) => void (part === 'a2' && stopping.abort())
  const [before, after] = [counting(stopAt2), counting()]
  await request(first, 'a', 4)
  await first.run(before.kinds, stopping.signal)
  expect(before.done).toEqual(['a1', 'a2'])
  await second.run(after.kinds)
  expect(after.done).toEqual(['a3', 'a4', 'a ended'])
})

it('repeats a part whose process died, and no other', async () => {
  const { promise: buried, resolve: bury } = Promise.withResolvers<void>()
  const stopping = new AbortController()
  const died = counting((part) => (part === 'a2' ? buried : undefined))
  await request(first, 'a', 3)
  const run = first.run(died.kinds, stopping.signal)
  await eventually(() => expect(died.done).toEqual(['a1']))
  await connection.collection('leases').deleteMany({})
  const { done, kinds } = counting()
  await second.run(kinds)
  expect(done).toEqual(['a2', 'a3', 'a ended'])
  stopping.abort()
  bury()
  await run
})

it('runs in one process at a time', async () => {
  const { promise: isFree, resolve: release } = Promise.withResolvers<void>()
  const [working, other] = [counting(() => isFree), counting()]
  await request(first, 'a', 1)
  const run = first.run(working.kinds)
  await eventually(async () => expect(await connection.collection('leases').countDocuments()).toBe(1))
  await second.run(other.kinds)
  expect(other.done).toEqual([])
  release()
  await run
  expect(working.done).toEqual(['a1', 'a ended'])
})

it('keeps the progress of the process that took over from one that was suspended', async () => {
  const { promise: isAwake, resolve: wake } = Promise.withResolvers<void>()
  const stopping = new AbortController()
  const suspended = counting(() => isAwake)
  await request(first, 'a', 5)
  const run = first.run(suspended.kinds, stopping.signal)
  await eventually(async () => expect(await connection.collection('leases').countDocuments()).toBe(1))
  await connection.collection('leases').deleteMany({})
  const ahead = new AbortController()
  const overtaking = counting((part) => void (part === 'a3' && ahead.abort()))
  await second.run(overtaking.kinds, ahead.signal)
  stopping.abort()
  wake()
  await run
  expect(suspended.done).toEqual(['a1'])
  expect(await rows().findOne()).toMatchObject({ progress: { at: 3 }, parts: 3 })
})

it('stops in a process that has lost the lease to another one, before the job is done', async () => {
  const leases = connection.collection<{ _id: string }>('leases')
  const { done, kinds } = counting(async (part) => {
    await wait(20)
    const taken = { owner: 'second', until: new Date(clock.nowMs() + 60_000) }
    if (part === 'a2') await leases.updateOne({ _id: 'jobs' }, { $set: taken })
  })
  await request(first, 'a', 200)
  await first.run(kinds)
  expect(done.length).toBeGreaterThanOrEqual(2)
  expect(done).not.toContain('a ended')
  expect(await leases.findOne({ _id: 'jobs' })).toMatchObject({ owner: 'second' })
})

it('starts over with the newer request when it was requested again before its end', async () => {
  let isAsked = false
  const { done, kinds } = counting(async (part) => {
    if (part !== 'a2' || isAsked) return
    isAsked = true
    await request(second, 'a', 3)
  })
  await request(first, 'a', 2)
  await first.run(kinds)
  expect(done).toEqual(['a1', 'a2', 'a3', 'a ended', 'a1', 'a2', 'a3', 'a ended'])
})

it('does not hold up the others when a part of it fails, and is tried again ten seconds later', async () => {
  let nowMs = clock.nowMs()
  const process = openProcess('third', () => nowMs)
  let isBroken = true
  const { done, kinds } = counting((part) => {
    if (part === 'a2' && isBroken) throw new Error('the store is away')
  })
  await request(process, 'a', 2)
  await request(process, 'b', 2)
  await process.run(kinds)
  expect(done).toEqual(['a1', 'b1', 'b2', 'b ended'])
  isBroken = false
  nowMs += 9000
  await process.run(kinds)
  expect(done).toHaveLength(4)
  nowMs += 1000
  await process.run(kinds)
  expect(done.slice(4)).toEqual(['a2', 'a ended'])
})

it('is stored in the transaction of its request, and not when that is rolled back', async () => {
  const refused = transact(connection, async (session) => {
    await first.request('count', 'a', { to: 1 }, session)
    throw new Error('rolled back')
  })
  await expect(refused).rejects.toThrow('rolled back')
  expect(await rows().countDocuments()).toBe(0)
})

it('starts with a check: a refusal drops the job, a confirmation gives its start, and a failure repeats the check', async () => {
  let nowMs = clock.nowMs()
  const process = openProcess('third', () => nowMs)
  const asked: string[] = []
  const { done, kinds } = counting()
  const begin = ({ subject }: { subject: string }) => {
    asked.push(subject)
    if (subject === 'away' && asked.length < 4) return Promise.reject(new Error('nobody answers'))
    return Promise.resolve(subject === 'no' ? null : { at: 1 })
  }
  for (const subject of ['no', 'yes', 'away']) await request(process, subject, 2)
  await process.run({ count: { ...kinds.count, begin } })
  expect(asked).toEqual(['no', 'yes', 'away'])
  expect(done).toEqual(['yes2', 'yes ended'])
  expect(await rows().find().toArray()).toMatchObject([{ subject: 'away' }])
  nowMs += 10_000
  await process.run({ count: { ...kinds.count, begin } })
  expect(done.slice(2)).toEqual(['away2', 'away ended'])
  expect(asked).toHaveLength(4)
  await process.stop()
})

it('starts at once in a running service, and reports its age until it ends', async () => {
  const { promise: isFree, resolve: release } = Promise.withResolvers<void>()
  const { done, kinds } = counting(() => isFree)
  first.start(kinds)
  await request(first, 'a', 1)
  const metric = async (name: string) => {
    const { values = [] } = (await first.metrics.registry.getSingleMetric(name)?.get()) ?? {}
    return values.find(({ labels }) => labels['of'] === 'count')?.value
  }
  await eventually(async () => expect(await metric('jobs_oldest_age_seconds')).toBeGreaterThan(0))
  expect(await metric('jobs_pending_records')).toBe(1)
  release()
  await eventually(() => expect(done).toEqual(['a1', 'a ended']))
  await eventually(async () => expect(await metric('jobs_pending_records')).toBe(0))
  expect(await metric('jobs_oldest_age_seconds')).toBe(0)
})
