import type { ClientSession, Connection } from 'mongoose'
import type { Backlog } from './backlog-metrics.ts'
import type { Migration } from './migrations.ts'

export interface Job<Request extends object = object, Progress extends object = object> {
  /** The id is `<kind>|<subject>`, so a subject has at most one job of a kind. */
  readonly _id: string
  readonly kind: string
  /** The job is about the person or conversation with this id. */
  readonly subject: string
  /** A further request for the same job replaces these details. */
  readonly request: Request
  /** The value is absent before the first part of the job. */
  readonly progress?: Progress
  /**
   * The number counts the requests for the job. A job that is requested again while it runs starts over when it has
   * ended.
   */
  readonly requests: number
  /** The value is that of `requests` when the first part began. */
  readonly requestsAtStart?: number
  /**
   * The number counts the finished parts. Every write must match it, so that a process which lost the lease cannot
   * overwrite the progress of its successor.
   */
  readonly parts: number
  /** The next part is done at this time or later. */
  readonly dueAt: Date
  readonly createdAt: Date
}

/** Creates the collection `jobs` with its indexes. A service adds this to its own list of migrations. */
export const jobsMigration: Migration = {
  id: 'jobs-0001-indexes',
  async up(connection) {
    await connection.collection('jobs').createIndexes([
      { key: { dueAt: 1 }, name: 'due' },
      { key: { kind: 1, createdAt: 1 }, name: 'age' },
    ])
  },
}

/** Returns the access to the table of a service's jobs. */
export function createJobStore(connection: Connection) {
  const rows = connection.collection<Job>('jobs')
  const inTurn = ({ _id, parts }: Job) => ({ _id, parts })
  const atStart = ({ requests, requestsAtStart = requests }: Job) => requestsAtStart
  const oneMore = { $inc: { parts: 1 } }
  return {
    async request(
      { kind, subject, request }: Pick<Job, 'kind' | 'subject' | 'request'>,
      now: Date,
      session?: ClientSession,
    ): Promise<void> {
      const $setOnInsert = { kind, subject, parts: 0, dueAt: now, createdAt: now }
      const update = { $set: { request }, $inc: { requests: 1 }, $setOnInsert }
      await rows.updateOne({ _id: `${kind}|${subject}` }, update, {
        upsert: true,
        ...(session && { session }),
      })
    },

    /** Returns the due job that has waited longest, or null. */
    next: (now: Date): Promise<Job | null> => rows.findOne({ dueAt: { $lte: now } }, { sort: { dueAt: 1 } }),

    /** Stores the progress of a job and puts the job behind all other due ones. */
    async save(job: Job, progress: object, now: Date): Promise<void> {
      const $set = { progress, requestsAtStart: atStart(job), dueAt: now }
      await rows.updateOne(inTurn(job), { $set, ...oneMore })
    },

    async postpone(job: Job, dueAt: Date): Promise<void> {
      await rows.updateOne(inTurn(job), { $set: { dueAt } })
    },

    /** Removes a job, or lets it start over when it was requested again while it ran. */
    async end(job: Job, now: Date): Promise<void> {
      const unchanged = { ...inTurn(job), requests: atStart(job) }
      if ((await rows.deleteOne(unchanged)).deletedCount === 1) return
      const $unset = { progress: '', requestsAtStart: '' } as const
      await rows.updateOne(inTurn(job), { $unset, $set: { dueAt: now }, ...oneMore })
    },

    /** Counts the jobs of a kind that have not ended, up to `countedTo`. */
    async backlog(kind: string, countedTo: number): Promise<Backlog> {
      const [size, oldest] = await Promise.all([
        rows.countDocuments({ kind }, { limit: countedTo, hint: 'age' }),
        rows.findOne({ kind }, { projection: { createdAt: 1 }, sort: { createdAt: 1 } }),
      ])
      return { size, oldest: oldest?.createdAt }
    },
  }
}
