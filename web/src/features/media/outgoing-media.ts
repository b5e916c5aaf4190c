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
  /** Does the same with a file that the receiver can open once: nothing is added that shows it before. */
  sealOnce: () => Promise<StoredFile>
}

export interface SealingChoice {
  /** `outgoing` keeps the preparation of each chosen file for later attempts. */
  media: Pick<Media, 'outgoing'>
  conversationId: string
  /**
   * Resolves to true if the file must be sealed. Rejects if the keys are not known yet or the person has to decide
   * something first.
   */
  willSeal: (conversationId: string) => Promise<boolean>
  /**
   * Asks the sender whether to send a file that would lose or reveal something. Without this function, it is not sent.
   */
  ask?: AskSender
}

/**
 * Returns the steps that prepare and seal a chosen file for a conversation. Each step runs once, however often the
 * upload is tried. A recording is prepared by its own `prepareFile`.
 */
export function outgoingMedia(
  chosen: Blob,
  { conversationId, willSeal, ask, media }: SealingChoice,
  prepareFile = prepareMedia,
): OutgoingMedia {
  const known = media.outgoing.get(chosen)
  if (known) return known
  const prepare = once(() => prepareFile(chosen, ask))
  const sealed = async (prepared: PreparedMedia): Promise<StoredFile> => {
    const { file, messageType } = prepared
    if (await willSeal(conversationId)) return { messageType, ...(await sealMedia(prepared)) }
    return { messageType, file: file.slice(0, file.size) }
  }
  const seal = once(async () => sealed(await prepare()))
  const sealOnce = once(async () => sealed(withoutLook(await prepare())))
  const made = { prepare, seal, sealOnce }
  media.outgoing.set(chosen, made)
  return made
}

function withoutLook({ messageType, file, info: { w, h, ms, moves } }: PreparedMedia): PreparedMedia {
  const info = { w, h, ...(ms !== undefined && { ms }), ...(moves && { moves }) }
  return { messageType, file, thumb: null, info }
}

/** Returns a function that runs `make` once and keeps its result. After a failure, the next call runs `make` again. */
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
