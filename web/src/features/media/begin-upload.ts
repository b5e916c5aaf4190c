import { randomId } from '@sumlock/sync/random-id'
import { lookOf, mediaDraft } from './chosen-media.ts'
import type { ChosenMedia, Look, SendMediaOptions } from './chosen-media.ts'
import { keepStub } from './lost-files.ts'
import { keepOwn } from './own-files.ts'
import { outgoingMedia } from './outgoing-media.ts'
import { onceConnected } from './retrying.ts'
import { uploadFile } from './upload-file.ts'
import { watchUpload } from './upload-watch.ts'

const shown = ({ still, stillUrl, ...look }: Look, isOnce: boolean) => ({
  ...look,
  ...{ previewUrl: isOnce ? null : (stillUrl ?? (still && URL.createObjectURL(still))) },
})

/**
 * Shows the bubble of a file at once, and uploads the file when it is its turn. Resolves when the file is sent, has
 * failed or was cancelled for the first time.
 */
export function beginUpload(
  chosen: ChosenMedia,
  look: Look,
  options: SendMediaOptions,
  turn: Promise<unknown> = Promise.resolve(),
): Promise<void> {
  const { conversationId, media } = options
  const { uploads, unsent } = media
  const { question, isOnce = false } = chosen
  const caption = isOnce ? '' : (chosen.caption ?? '')
  if (uploads.isEnded()) return Promise.resolve()
  const sent = { re: options.takeReply?.(), vanishMs: options.vanishMs?.() }
  const id = randomId()
  const endStub = keepStub(unsent, {
    id,
    conversationId,
    kind: look.messageType,
    caption,
    ...(isOnce && { isOnce }),
  })
  let stop = new AbortController()
  let isSent = false
  const send: SendMediaOptions['send'] = (...message) => {
    isSent = true
    return options.send(...message)
  }
  const stopAsking = question?.subscribe(() => uploads.patch(id, { question: question.get() }))
  const leave = (isDone: boolean) => {
    stopAsking?.()
    endStub(isDone)
    uploads.remove(id)
  }
  return new Promise((settled) => {
    const run = async () => {
      stop = new AbortController()
      const { signal } = stop
      uploads.patch(id, { failure: null, progress: 0 })
      await turn
      if (!signal.aborted && (await upload(id, { ...chosen, ...sent }, { ...options, send }, signal)))
        leave(true)
      settled()
    }
    uploads.add({
      ...{ id, conversationId, caption, progress: 0, failure: chosen.failure ?? null },
      ...{ ...shown(look, isOnce), isOnce },
      ...{ delay: null, question: question?.get() ?? null, isLost: false },
      retry: () => void run(),
      cancel() {
        if (isSent) return
        stop.abort()
        question?.get()?.answer(false)
        leave(!uploads.isEnded())
        settled()
      },
    })
    if (chosen.failure) settled()
    else void run()
  })
}

/** Prepares, stores and sends a file. Resolves to whether its message is in the outbox. */
async function upload(
  id: string,
  { file: chosen, caption, re, vanishMs, prepare, question, isOnce = false }: ChosenMedia,
  options: SendMediaOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const { conversationId, send, media } = options
  const { uploads, toasts } = media
  let watch: ReturnType<typeof watchUpload> | undefined
  try {
    const asking = question ? { ...options, ask: question.ask } : options
    const outgoing = outgoingMedia(chosen, asking, prepare)
    const prepared = await outgoing.prepare()
    if (signal.aborted) return false
    uploads.patch(id, shown(lookOf(prepared), isOnce))
    watch = watchUpload({ media, tell: (delay) => uploads.patch(id, { delay }) })
    // Sealing may have to fetch the partner's keys.
    const sealing = { loss: media.loss, signal }
    const {
      file,
      messageType,
      media: info,
    } = await onceConnected(isOnce ? outgoing.sealOnce : outgoing.seal, sealing)
    watch.begin()
    const onProgress = (progress: number) => {
      watch?.advance(progress)
      uploads.patch(id, { progress })
    }
    const mediaUrl = await uploadFile(file, { conversationId, media, signal, onProgress })
    if (!isOnce) keepOwn(media.own, mediaUrl, prepared)
    // The message has the id of the upload and replaces the upload's bubble in the list.
    const draft = mediaDraft(messageType, mediaUrl, { caption, re, vanishMs, media: info, isOnce })
    await send(draft, { clientMessageId: id })
    return true
  } catch (error) {
    if (signal.aborted) return false
    const description = error instanceof Error ? error.message : 'Failed to upload media'
    uploads.patch(id, { failure: description })
    toasts.toast({ title: 'Upload failed', description, variant: 'destructive' })
    return false
  } finally {
    watch?.end()
  }
}
