import { Schema } from 'mongoose'
import type { Connection, mongo } from 'mongoose'
import type { MediaRow, MessageName } from '../domain/media.ts'
import { createMediaCounting, isCounted } from './media-counting.ts'
import { createMediaRemoval } from './media-removal.ts'
import { createMediaUploads } from './media-uploads.ts'
import type { MediaUsage } from './media-usage.ts'

const schema = new Schema<MediaRow>(
  {
    _id: String,
    ownerId: { type: String, required: true },
    sessionId: { type: String, required: true },
    status: { type: String, required: true },
    bytes: { type: Number, required: true },
    maxBytes: { type: Number, required: true },
    uploadUntil: { type: Date, required: true },
    attempts: { type: [String], required: true },
    storeKey: String,
    isRegistered: Boolean,
    bound: { type: Object },
    multipart: { type: Object },
    sweepAt: Date,
    countedUntil: Date,
    createdAt: { type: Date, required: true },
  },
  { collection: 'media', versionKey: false },
)
/** By then a message is stored, unless its process was killed. */
const boundForMs = 30_000

export type MediaStore = ReturnType<typeof createMediaStore>

/** A row of media is written before its object and removed after it, so that no object is left without a row. */
export function createMediaStore(connection: Connection, usage: MediaUsage) {
  const media = connection.model('Media', schema).collection as unknown as mongo.Collection<MediaRow>
  return {
    ...createMediaUploads(connection, media, usage),
    ...createMediaRemoval(connection, media, usage),
    ...createMediaCounting(media),

    byKeys: async (keys: readonly string[]): Promise<Map<string, MediaRow>> => {
      const rows = await media.find({ _id: { $in: [...keys] } }).toArray()
      return new Map(rows.map((row) => [row._id, row]))
    },

    /** Marks a file as registered. Resolves with false unless the person has uploaded this file. */
    register: async (key: string, ownerId: string): Promise<boolean> => {
      const isThere = { status: { $in: ['stored', 'bound'] as MediaRow['status'][] } }
      const filter = { _id: key, ownerId, $or: [isThere, isCounted] }
      return (await media.updateOne(filter, { $set: { isRegistered: true } })).matchedCount > 0
    },

    /**
     * Binds the file to the message that its owner is about to store. Resolves with false when the file belongs to another
     * message or does not exist.
     */
    bind: async (key: string, message: MessageName, now: Date): Promise<boolean> => {
      const { conversationId, senderId, clientMessageId } = message
      const bound = { conversationId, senderId, clientMessageId }
      const filter = {
        // guard: media-of-the-sender
        ...{ _id: key, ownerId: senderId },
        $or: [{ status: 'stored' as const }, { status: 'bound' as const, bound }],
      }
      const $set = {
        status: 'bound' as const,
        isRegistered: true as const,
        bound,
        sweepAt: new Date(now.getTime() + boundForMs),
      }
      return (await media.updateOne(filter, { $set })).matchedCount > 0
    },

    hasOfOwner: async (ownerId: string): Promise<boolean> => (await media.findOne({ ownerId })) !== null,
  }
}
