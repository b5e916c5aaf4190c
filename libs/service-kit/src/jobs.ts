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

/** A job is work that takes too long for a request or an event handler. */
export interface JobKind<Request extends object = object, Progress extends object = object> {
  /**
   * Runs before the first part and resolves with the first progress. With null the job is removed without being done.
   */
  begin?(this: void, job: Job<Request>): Promise<Progress | null>
  /**
   * Does the next part, which writes about `rowsAtOnce` rows, and resolves with the new progress, or with undefined
   * when nothing was left to do. A crash may repeat a part; the repetition must leave the data as they are.
   */
  part(this: void, job: Job<Request, Progress>): Promise<Progress | undefined>
}

export type JobKinds<Kind extends string = string> = Readonly<Record<Kind, JobKind>>

export interface Jobs<Kind extends string = string> {
  /**
   * Stores a job, which is then worked on until it ends, also after restarts. With `session` it is stored in the
   * caller's transaction; the caller then calls `kick` after the commit.
   */
  request(this: void, kind: Kind, subject: string, request?: object, session?: ClientSession): Promise<void>
  kick(this: void): void
  /** Works until no job is due or `stopping` is aborted. Returns at once while another process holds the lease. */
  run(this: void, kinds: JobKinds<Kind>, stopping?: AbortSignal): Promise<void>
  /** Runs the jobs now, every five seconds and at each `kick`, until the service stops. */
  start(this: void, kinds: JobKinds<Kind>): void
}

const lookEveryMs = 5000
const retryAfterMs = 10_000

/**
 * Opens the jobs of a service. One process at a time works on them, under a lease. The jobs take turns: after each
 * part of one, the process rests for as long as the part took, so that jobs use half of its time at most. A metric
 * gives the age of the oldest job.
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
      // A newer release of the service has stored this job. It waits until that release runs again.
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
