import type { NotificationPreferences } from '@sumlock/contracts/notification-routes'
import { Schema } from 'mongoose'
import type { Connection } from 'mongoose'

interface StoredPreferences extends NotificationPreferences {
  /** A person has one row, with the user id as its key. */
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
    /** Resolves with the preferences of a person. A person who has never changed them gets every mail. */
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
