import type { Draft } from '@sumlock/sync/ports'
import { randomId } from '@sumlock/sync/random-id'
import type { MediaInfo } from '../sealed/media-info.ts'
import type { Media } from './media.ts'
import { outgoingMedia } from './outgoing-media.ts'
import type { SealingChoice } from './outgoing-media.ts'
import type { PreparedMedia } from './prepare/prepared-media.ts'
import { uploadFile } from './upload-file.ts'

export interface SendMediaOptions extends SealingChoice {
  media: Media
  /** Resolves when the message is in the outbox. */
  send: (draft: Draft, options?: { clientMessageId: string }) => Promise<void>
}

export interface ChosenMedia {
  file: Blob
  caption?: string | undefined
  /** A recorded file is prepared by this function instead of `prepareMedia`. */
  prepare?: () => Promise<PreparedMedia>
  /** If an upload of the file has already failed, this is the reason, and the next try waits for the person. */
  failure?: string | null | undefined
}

/**
 * Uploads a chosen file in the background of the chat and sends it. Its bubble shows the progress and failures, and can
 * retry. Rejects with a `MediaRefusedError` for a file that cannot be sent.
 */
export async function sendMedia(chosen: ChosenMedia, options: SendMediaOptions): Promise<void> {
  const { messageType, thumb, info } = await outgoingMedia(chosen.file, options, chosen.prepare).prepare()
  const { uploads } = options.media
  if (uploads.isEnded()) return
  const id = randomId()
  let stop = new AbortController()
  let isSent = false
  const send: SendMediaOptions['send'] = (...message) => {
    isSent = true
    return options.send(...message)
  }
  const run = () => {
    stop = new AbortController()
    uploads.patch(id, { failure: null, progress: 0 })
    void upload(id, chosen, { ...options, send }, stop.signal)
  }
  uploads.add({
    ...{ id, conversationId: options.conversationId, progress: 0, failure: chosen.failure ?? null },
    ...{ messageType, previewUrl: thumb && URL.createObjectURL(thumb), width: info.w, height: info.h },
    retry: run,
    cancel() {
      if (isSent) return
      stop.abort()
      uploads.remove(id)
    },
  })
  if (!chosen.failure) run()
}

/** Builds the message of a stored file. */
export function mediaDraft(
  messageType: PreparedMedia['messageType'],
  mediaUrl: string,
  { caption = '', media }: { caption?: string | undefined; media?: MediaInfo | undefined },
): Draft {
  const content = caption.trim()
  return { messageType, mediaUrl, ...(content && { content }), ...(media && { media }) }
}

async function upload(
  id: string,
  { file: chosen, caption }: ChosenMedia,
  options: SendMediaOptions,
  signal: AbortSignal,
): Promise<void> {
  const { conversationId, send, media } = options
  const { uploads, toasts } = media
  try {
    const { file, messageType, media: info } = await outgoingMedia(chosen, options).seal()
    const onProgress = (progress: number) => uploads.patch(id, { progress })
    const mediaUrl = await uploadFile(file, { conversationId, media, signal, onProgress })
    // The message has the id of the upload and replaces the upload's bubble in the list.
    await send(mediaDraft(messageType, mediaUrl, { caption, media: info }), { clientMessageId: id })
    uploads.remove(id)
  } catch (error) {
    if (signal.aborted) return
    const description = error instanceof Error ? error.message : 'Failed to upload media'
    uploads.patch(id, { failure: description })
    toasts.toast({ title: 'Upload failed', description, variant: 'destructive' })
  }
}
