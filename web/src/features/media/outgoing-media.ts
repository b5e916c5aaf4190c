import type { MediaInfo } from '../sealed/media-info.ts'
import type { Media } from './media.ts'
import type { AskSender } from './prepare/ask-sender.ts'
import { prepareMedia } from './prepare/prepare-media.ts'
import type { PreparedMedia } from './prepare/prepared-media.ts'
import { sealMedia } from './seal-media.ts'

interface StoredFile extends Pick<PreparedMedia, 'messageType'> {
  file: Blob
  media?: MediaInfo
}

export interface OutgoingMedia {
  /** Rejects with a `MediaRefusedError` for a file that cannot be sent. */
  prepare: () => Promise<PreparedMedia>
  /** Seals the file once, so that every upload attempt sends the same bytes. */
  seal: () => Promise<StoredFile>
}

export interface SealingChoice {
  /** Remembers the files that are being sent. */
  media: Pick<Media, 'outgoing'>
  conversationId: string
  /** Resolves to whether the file is sealed; rejects if the person has to decide first. */
  willSeal: (conversationId: string) => Promise<boolean>
  /** Asks the sender before anything unexpected is sent. Without this function, such a file is not sent. */
  ask?: AskSender
}

/**
 * A chosen file on its way into a conversation. It is prepared and sealed once, however often its upload is tried.
 * `prepareFile` prepares a file that was not chosen.
 */
export function outgoingMedia(
  chosen: Blob,
  { conversationId, willSeal, ask, media }: SealingChoice,
  prepareFile = prepareMedia,
): OutgoingMedia {
  const known = media.outgoing.get(chosen)
  if (known) return known
  const prepare = once(() => prepareFile(chosen, ask))
  const seal = once(async (): Promise<StoredFile> => {
    const prepared = await prepare()
    const { file, messageType } = prepared
    if (await willSeal(conversationId)) return { messageType, ...(await sealMedia(prepared)) }
    return { messageType, file: file.slice(0, file.size) }
  })
  const made = { prepare, seal }
  media.outgoing.set(chosen, made)
  return made
}

/** Keeps the first success. After a failure, the next call tries again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}
