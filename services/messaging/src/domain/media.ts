import { randomBytes } from 'node:crypto'
import { limits } from '@sumlock/contracts/limits'
import type { Multipart } from './multipart.ts'

/** A row describes an uploaded file or a reservation for one. `_id` is the key in the file's address. */
export interface MediaRow {
  _id: string
  ownerId: string
  /** Only this session may upload the file. */
  sessionId: string
  status: 'reserved' | 'stored' | 'bound' | 'removing'
  /**
   * These bytes count against the owner's storage: the declared size until the file is stored, and then the stored size.
   */
  bytes: number
  /** A larger file is refused. */
  maxBytes: number
  uploadUntil: Date
  /** The bucket may contain objects of unfinished or replaced uploads under these keys. */
  attempts: string[]
  /** The bucket contains the stored file under this key. */
  storeKey?: string
  isRegistered?: true
  multipart?: Multipart
  /** Only this message may show the file. */
  bound?: MessageName
  /** The sweep checks the row at this time. The field is absent once the sweep has found the file's message. */
  sweepAt?: Date
  /**
   * The bytes stay counted until this time although the file may be gone, because its owner must not notice that the
   * message was opened.
   */
  countedUntil?: Date
  createdAt: Date
}

/** The server ends every request after this time, so no upload takes longer. */
export const longestUploadMs = 20 * 60_000

/** Returns the time after which no upload of a file can be in progress. */
export const uploadsEndAt = ({ uploadUntil }: Pick<MediaRow, 'uploadUntil'>): Date =>
  new Date(uploadUntil.getTime() + longestUploadMs)

/** A file waits for its message for a day after its upload, and for another day once it was bound. */
export const unsentUntil = ({ createdAt }: Pick<MediaRow, 'createdAt'>): Date =>
  new Date(createdAt.getTime() + 2 * limits.unsentMediaHours * 3_600_000)

/** Identifies a message before it is stored. */
export interface MessageName {
  conversationId: string
  senderId: string
  clientMessageId: string
}

const address = /^(?:https?:\/\/[^/?#]+)?\/api\/objects\/([\w-]{24})(?:\?[^#]*)?$/

/** Returns the key in an `uploadURL` or an `objectPath`; undefined for any other text. */
export const keyInUrl = (mediaUrl: string): string | undefined => address.exec(mediaUrl)?.[1]

/** Returns the address of a file in the form that messages store. */
export const objectPathOf = (key: string): string => `/api/objects/${key}`

/** A key has 144 random bits, so that nobody can guess it. */
export const newMediaKey = (): string => randomBytes(18).toString('base64url')

/** Each try of an upload gets its own object in the bucket, so that a failed try cannot damage an earlier file. */
export const newStoreKey = (mediaKey: string): string => `${mediaKey}.${randomBytes(6).toString('base64url')}`
