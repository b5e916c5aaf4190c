import type { NotificationPreferences } from '@sumlock/contracts/notification-routes'
import { Schema } from 'mongoose'
import type { Connection } from 'mongoose'

interface StoredPreferences extends NotificationPreferences {
  /** The user's id. */
  _id: string
}

const schema = new Schema<StoredPreferences>(
  { _id: String, signInMails: { type: Boolean, required: true } },
  { collection: 'preferences', versionKey: false },
)

const everything: NotificationPreferences = { signInMails: true }

export function createPreferenceStore(connection: Connection) {
  const model = connection.model('Preferences', schema)
  return {
    /** The preferences of a person; everything is mailed until they choose otherwise. */
    of: async (userId: string): Promise<NotificationPreferences> => {
      const stored = await model.findById(userId, { _id: 0 }).lean<NotificationPreferences>().exec()
      return { ...everything, ...stored }
    },
    remove: async (userId: string): Promise<void> => {
      await model.deleteOne({ _id: userId })
    },
    replace: async (userId: string, preferences: NotificationPreferences): Promise<void> => {
      await model.updateOne({ _id: userId }, { $set: preferences }, { upsert: true })
    },
  }
}
