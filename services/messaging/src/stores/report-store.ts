import { limits } from '@sumlock/contracts/limits'
import type { SealedText } from '@sumlock/service-kit/seal-text'
import { deleteNext, updateInBatches } from '@sumlock/service-kit/write-in-batches'
import { Schema, trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'

export interface ReportRow {
  /**
   * The key is `<reporterId>|<UTC day>|<number of the report on that day>`. Unique keys enforce the limit of reports per
   * day.
   */
  _id: string
  reporterId: string
  reportedId: string
  conversationId: string
  messages: { id: string }[]
  /** The reporter attached these texts, which are removed some time after the report was closed. */
  texts?: SealedText
  note: string | null
  createdAt: Date
  /** The field is absent while the report is open. */
  closedAt?: Date
}

const schema = new Schema<ReportRow>(
  {
    _id: String,
    reporterId: { type: String, required: true },
    reportedId: { type: String, required: true },
    conversationId: { type: String, required: true },
    messages: [new Schema({ id: String }, { _id: false, id: false })],
    texts: Object,
    note: { type: String, default: null },
    createdAt: { type: Date, required: true },
    closedAt: Date,
  },
  { collection: 'reports', versionKey: false },
)

type NewReport = Omit<ReportRow, '_id' | 'texts' | 'closedAt'> & {
  day: string
  /** Seals the attached texts for the id of the report. */
  sealFor?: (reportId: string) => SealedText
}

/**
 * Stores reports for the administrators. A report is removed after a year, by an index of migration 0003, or when one of
 * its two people is erased.
 */
export function createReportStore(connection: Connection) {
  const model = connection.model('Report', schema)
  return {
    /** Resolves with false when the reporter has used up the reports of the day. */
    add: async ({ day, sealFor, ...report }: NewReport): Promise<boolean> => {
      const prefix = `${report.reporterId}|${day}|`
      for (let number = 1; number <= limits.reportsPerDay; number += 1) {
        const id = `${prefix}${number}`
        const texts = sealFor ? { texts: sealFor(id) } : {}
        try {
          await model.collection.insertOne({ _id: id as never, ...report, ...texts })
          return true
        } catch (error) {
          if ((error as { code?: number }).code !== 11000) throw error
        }
      }
      return false
    },
    newestOpen: (count: number) =>
      model.find({ closedAt: null }).sort({ createdAt: -1 }).limit(count).lean<ReportRow[]>().exec(),
    lastClosed: (count: number) =>
      model
        .find({ closedAt: trusted({ $type: 'date' }) })
        .sort({ closedAt: -1 })
        .limit(count)
        .lean<ReportRow[]>()
        .exec(),
    /** Closes a report. A report that was closed before keeps its time. Resolves with null when there is no such report. */
    close: async (id: string, closedAt: Date, session: ClientSession): Promise<ReportRow | null> => {
      await model.updateOne({ _id: id, closedAt: null }, { $set: { closedAt } }, { session })
      return model.findOne({ _id: id }).session(session).lean<ReportRow>().exec()
    },
    /** Removes the attached texts of reports that were closed at this time or earlier. */
    forgetTexts: (closedUntil: Date, stopping?: AbortSignal): Promise<number> => {
      const over = { closedAt: { $lte: closedUntil }, texts: { $exists: true } }
      return updateInBatches(model.collection, over, { $unset: { texts: '' } }, stopping)
    },
    /** Removes the next reports by and about a person. Resolves with false when none is left. */
    erase: (userId: string): Promise<boolean> =>
      deleteNext(model.collection, { $or: [{ reporterId: userId }, { reportedId: userId }] }),
  }
}
