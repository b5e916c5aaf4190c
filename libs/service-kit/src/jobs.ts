import type { ClientSession, Connection } from 'mongoose'
import { backlogCountedTo, measureBacklog } from './backlog-metrics.ts'
import { createJobStore } from './job-store.ts'
import type { Job } from './job-store.ts'
import { createLease, whileHolding } from './lease.ts'
import type { LeaseRow } from './lease.ts'
import { createRepeater } from './repeater.ts'
import type { Repeater } from './repeater.ts'
import { rest } from './rest.ts'
import type { ServiceBase } from './service-base.ts'

/** Work that takes too long for a request or a handler. */
export interface JobKind<Request extends object = object, Progress extends object = object> {
  /**
   * Runs before the first part. Resolves with the progress to start from, or null when the job must not be done: then it is
   * dropped.
   */
  begin?(this: void, job: Job<Request>): Promise<Progress | null>
  /**
   * Does the next part, which writes `rowsAtOnce` rows or a few more, and resolves with the job's progress; undefined when
   * there was nothing left to do. A part may be repeated, and must then add nothing.
   */
  part(this: void, job: Job<Request, Progress>): Promise<Progress | undefined>
}

export type JobKinds<Kind extends string = string> = Readonly<Record<Kind, JobKind>>

export interface Jobs<Kind extends string = string> {
  /**
   * Stores a job, which then continues until its end whatever stops. In the caller's transaction, if there is one: then
   * call `kick` after the commit.
   */
  request(this: void, kind: Kind, subject: string, request?: object, session?: ClientSession): Promise<void>
  kick(this: void): void
  /** Works until no job is due or `stopping` is aborted, unless another process does. */
  run(this: void, kinds: JobKinds<Kind>, stopping?: AbortSignal): Promise<void>
  /** Runs the jobs now, every five seconds and at each `kick`, until the service stops. */
  start(this: void, kinds: JobKinds<Kind>): void
}

const lookEveryMs = 5000
const retryAfterMs = 10_000

/**
 * The jobs of a service. One process works at a time, under a lease. All jobs take turns: each does one part, then the process
 * rests for as long as that took, so that it uses half of its time at most. A metric shows the age of the oldest job.
 */
export function openJobs<Kind extends string>(
  {
    config,
    clock,
    logger,
    metrics,
    onClose,
  }: Pick<ServiceBase, 'clock' | 'logger' | 'metrics' | 'onClose'> & { config: { INSTANCE: string } },
  connection: Connection,
  kinds: readonly Kind[],
): Jobs<Kind> {
  const store = createJobStore(connection)
  const lease = createLease(connection.collection<LeaseRow>('leases'), 'jobs', config.INSTANCE)
  measureBacklog({
    registry: metrics.registry,
    name: 'jobs',
    clock,
    readers: Object.fromEntries(kinds.map((kind) => [kind, () => store.backlog(kind, backlogCountedTo)])),
  })
  let repeater: Repeater | undefined

  const doPart = async (job: Job, { begin, part }: JobKind) => {
    const progress = begin && !job.progress ? await begin(job) : await part(job)
    if (progress) return store.save(job, progress, clock.now())
    await store.end(job, clock.now())
  }

  const serve = async (job: Job, kind: JobKind | undefined) => {
    try {
      // A newer release of the service has stored it.
      if (!kind) throw new Error('This release does not know this kind of job.')
      await doPart(job, kind)
    } catch (error) {
      logger.warn(
        { err: error, kind: job.kind, subject: job.subject },
        'a part of a job failed and will run again',
      )
      await store.postpone(job, new Date(clock.nowMs() + retryAfterMs))
    }
  }

  const run = async (all: JobKinds<Kind>, stopping?: AbortSignal) => {
    const next = () => store.next(clock.now())
    if (!(await next())) return
    await whileHolding(lease, clock, async (isHeld) => {
      for (let job = await next(); job && isHeld() && !stopping?.aborted; job = await next()) {
        const startedAt = performance.now()
        await serve(job, all[job.kind as Kind])
        await rest(performance.now() - startedAt, stopping)
      }
    })
  }
  const kick = () => repeater?.kick()

  return {
    async request(kind, subject, request = {}, session) {
      await store.request({ kind, subject, request }, clock.now(), session)
      if (!session) kick()
    },
    kick,
    run,
    start(all) {
      const options = { name: 'jobs', everyMs: lookEveryMs, logger }
      repeater = createRepeater({ ...options, run: (stopping) => run(all, stopping) })
      onClose(repeater.stop)
    },
  }
}
