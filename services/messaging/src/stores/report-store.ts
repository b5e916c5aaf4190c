import { limits } from '@sumlock/contracts/limits'
import { Schema, trusted } from 'mongoose'
import type { Connection } from 'mongoose'

export interface ReportRow {
  /** `<reporterId>|<UTC day>|<number of the report on that day>`: the limit of a day is a matter of unique keys. */
  _id: string
  reporterId: string
  reportedId: string
  conversationId: string
  /** `content` only if the reporter added it. */
  messages: { id: string; content?: string }[]
  note: string | null
  createdAt: Date
}

const schema = new Schema<ReportRow>(
  {
    _id: String,
    reporterId: { type: String, required: true },
    reportedId: { type: String, required: true },
    conversationId: { type: String, required: true },
    messages: [new Schema({ id: String, content: String }, { _id: false, id: false })],
    note: { type: String, default: null },
    createdAt: { type: Date, required: true },
  },
  { collection: 'reports', versionKey: false },
)

/** What people reported to the administrators. A report leaves after a year (index of migration 0003), or with its people. */
export function createReportStore(connection: Connection) {
  const model = connection.model('Report', schema)
  return {
    /** False when the reporter has used up the reports of the day. */
    add: async ({ day, ...report }: Omit<ReportRow, '_id'> & { day: string }): Promise<boolean> => {
      const prefix = `${report.reporterId}|${day}|`
      for (let number = 1; number <= limits.reportsPerDay; number += 1) {
        try {
          await model.collection.insertOne({ _id: `${prefix}${number}` as never, ...report })
          return true
        } catch (error) {
          if ((error as { code?: number }).code !== 11000) throw error
        }
      }
      return false
    },
    newest: (count: number) =>
      model.find().sort({ createdAt: -1, _id: -1 }).limit(count).lean<ReportRow[]>().exec(),
    /** Removes the reports by and about a person. */
    erase: async (userId: string): Promise<void> => {
      await model.deleteMany({ $or: trusted([{ reporterId: userId }, { reportedId: userId }]) }).exec()
    },
  }
}
