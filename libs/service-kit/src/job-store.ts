import type { ClientSession, Connection } from 'mongoose'
import type { Backlog } from './backlog-metrics.ts'
import type { Migration } from './migrations.ts'

export interface Job<Request extends object = object, Progress extends object = object> {
  /** `<kind>|<subject>`: a subject has one job of a kind at most. */
  readonly _id: string
  readonly kind: string
  /** The id of the person or conversation that the job is about. */
  readonly subject: string
  /** The details of the last request. */
  readonly request: Request
  /** Progress of the job; absent before its first part. */
  readonly progress?: Progress
  /** Number of requests for the job. One that is requested again while it runs starts over before it ends. */
  readonly requests: number
  /** Number of requests when its first part began. */
  readonly requestsAtStart?: number
  /** Number of finished parts. A process that has lost the lease cannot write over the progress of another. */
  readonly parts: number
  /** The time of its next turn. */
  readonly dueAt: Date
  readonly createdAt: Date
}

/** The index of the jobs; part of the service's list of migrations. Also creates the collection. */
export const jobsMigration: Migration = {
  id: 'jobs-0001-indexes',
  async up(connection) {
    await connection.collection('jobs').createIndexes([
      { key: { dueAt: 1 }, name: 'due' },
      { key: { kind: 1, createdAt: 1 }, name: 'age' },
    ])
  },
}

/** The rows of a service's jobs. */
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

    /** The job that has waited longest for its turn. */
    next: (now: Date): Promise<Job | null> => rows.findOne({ dueAt: { $lte: now } }, { sort: { dueAt: 1 } }),

    /** Stores the progress of a job and gives the turn to the next one. */
    async save(job: Job, progress: object, now: Date): Promise<void> {
      const $set = { progress, requestsAtStart: atStart(job), dueAt: now }
      await rows.updateOne(inTurn(job), { $set, ...oneMore })
    },

    async postpone(job: Job, dueAt: Date): Promise<void> {
      await rows.updateOne(inTurn(job), { $set: { dueAt } })
    },

    /** Removes a job. When it was requested again, it starts over instead. */
    async end(job: Job, now: Date): Promise<void> {
      const unchanged = { ...inTurn(job), requests: atStart(job) }
      if ((await rows.deleteOne(unchanged)).deletedCount === 1) return
      const $unset = { progress: '', requestsAtStart: '' } as const
      await rows.updateOne(inTurn(job), { $unset, $set: { dueAt: now }, ...oneMore })
    },

    /** The jobs of a kind that have not ended, counted up to a limit. */
    async backlog(kind: string, countedTo: number): Promise<Backlog> {
      const [size, oldest] = await Promise.all([
        rows.countDocuments({ kind }, { limit: countedTo, hint: 'age' }),
        rows.findOne({ kind }, { projection: { createdAt: 1 }, sort: { createdAt: 1 } }),
      ])
      return { size, oldest: oldest?.createdAt }
    },
  }
}
