import type { VanishMs } from '@sumlock/contracts/primitives'
import type { Draft, ReplyTo } from '@sumlock/sync/ports'
import type { MediaInfo } from '../sealed/media-info.ts'
import type { Media } from './media.ts'
import type { SealingChoice } from './outgoing-media.ts'
import type { PreparedMedia } from './prepare/prepared-media.ts'
import type { SenderQuestion } from './sender-question.ts'

export interface SendMediaOptions extends SealingChoice {
  media: Media
  /** Resolves when the message is in the outbox. */
  send: (draft: Draft, options?: { clientMessageId: string }) => Promise<void>
  /** Returns the message that the next file answers, at most once. */
  takeReply?: () => ReplyTo | undefined
  /** Returns the time after which a file vanishes that is sent now. */
  vanishMs?: () => VanishMs | undefined
}

export interface ChosenMedia {
  file: Blob
  caption?: string | undefined
  /** The message answers this one. */
  re?: ReplyTo | undefined
  /** The message vanishes after this time. */
  vanishMs?: VanishMs | undefined
  /** A recorded file is prepared by this function instead of `prepareMedia`. */
  prepare?: () => Promise<PreparedMedia>
  /** If an upload of the file has already failed, this is the reason, and the next try waits for the person. */
  failure?: string | null | undefined
  /** The sender is asked by this question before the file is sent. */
  question?: SenderQuestion
  /** The receiver can open the file once. */
  isOnce?: boolean | undefined
}

/** The bubble of a chosen file shows this until the file is prepared. */
export interface Look {
  messageType: PreparedMedia['messageType']
  still: Blob | null
  /** An object URL of the still that exists already, because creating one takes a call to the browser's process. */
  stillUrl?: string | null
  width: number
  height: number
}

export const lookOf = ({ messageType, thumb, info }: PreparedMedia): Look => ({
  ...{ messageType, still: thumb, width: info.w, height: info.h },
})

interface MessageParts extends Pick<ChosenMedia, 'caption' | 're' | 'vanishMs' | 'isOnce'> {
  media?: MediaInfo | undefined
}

/** Builds the message of a stored file. */
export function mediaDraft(
  messageType: PreparedMedia['messageType'],
  mediaUrl: string,
  { caption = '', media, re, vanishMs, isOnce }: MessageParts,
): Draft {
  const file = { messageType, mediaUrl, ...(media && { media }), ...(re && { re }) }
  // The present field says that the time was taken when the file was sent.
  if (isOnce) return { ...file, vanishMs: undefined, isOnce: true }
  const content = caption.trim()
  return { ...file, ...(content && { content }), vanishMs }
}
