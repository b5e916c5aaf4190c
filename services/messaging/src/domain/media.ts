import { randomBytes } from 'node:crypto'
import type { Multipart } from './multipart.ts'

/** An uploaded file, or the reservation of one. `_id` is the key in its address. */
export interface MediaRow {
  _id: string
  ownerId: string
  /** The session that may upload. */
  sessionId: string
  status: 'reserved' | 'stored' | 'bound' | 'removing'
  /** The bytes that count against the owner's storage: declared ones, then stored ones. */
  bytes: number
  /** The largest file that may be uploaded. */
  maxBytes: number
  uploadUntil: Date
  /** Keys in the bucket that belong to unfinished or replaced uploads. */
  attempts: string[]
  /** Key of the stored file in the bucket. */
  storeKey?: string
  isRegistered?: true
  /** The state of an upload in parts. */
  multipart?: Multipart
  /** The only message that may show the file. */
  bound?: MessageName
  /** The time at which the sweep has to check the row; absent once its message was found. */
  sweepAt?: Date
  createdAt: Date
}

/** An upload that begins in the last second of its address has ended by then, however slow it is. */
export const longestUploadMs = 20 * 60_000

/** Returns the time after which no upload of a file can be in progress. */
export const uploadsEndAt = ({ uploadUntil }: Pick<MediaRow, 'uploadUntil'>): Date =>
  new Date(uploadUntil.getTime() + longestUploadMs)

/** Identifies a message before it is stored. */
export interface MessageName {
  conversationId: string
  senderId: string
  clientMessageId: string
}

const address = /^(?:https?:\/\/[^/?#]+)?\/api\/objects\/([\w-]{24})(?:\?[^#]*)?$/

/** The key in an `uploadURL` or an `objectPath`; undefined for any other text. */
export const keyInUrl = (mediaUrl: string): string | undefined => address.exec(mediaUrl)?.[1]

/** The address of a file as messages store it. */
export const objectPathOf = (key: string): string => `/api/objects/${key}`

/** 144 random bits, so that it cannot be guessed. */
export const newMediaKey = (): string => randomBytes(18).toString('base64url')

/** A name in the bucket for one object of a row; each try has its own. */
export const newStoreKey = (mediaKey: string): string => `${mediaKey}.${randomBytes(6).toString('base64url')}`
