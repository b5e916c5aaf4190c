import { beginUpload } from './begin-upload.ts'
import { lookOf } from './chosen-media.ts'
import type { ChosenMedia, Look, SendMediaOptions } from './chosen-media.ts'
import { outgoingMedia } from './outgoing-media.ts'

/**
 * Uploads a file in the background of the chat and sends it. Its bubble shows the progress and failures, and can retry.
 * Rejects with a `MediaRefusedError` for a file that cannot be sent.
 */
export async function sendMedia(chosen: ChosenMedia, options: SendMediaOptions): Promise<void> {
  const vanishMs = options.vanishMs?.()
  const prepared = await outgoingMedia(chosen.file, options, chosen.prepare).prepare()
  void beginUpload(chosen, lookOf(prepared), { ...options, vanishMs: () => vanishMs })
}

/**
 * Sends files in their order. Their bubbles stand at once, before the files are prepared. A file that fails or is
 * cancelled steps aside for the next one.
 */
export function sendFiles(files: readonly (ChosenMedia & { look: Look })[], options: SendMediaOptions): void {
  let turn: Promise<unknown> = Promise.resolve()
  // A file that is cancelled while it waits is done before its turn.
  for (const chosen of files) turn = Promise.all([turn, beginUpload(chosen, chosen.look, options, turn)])
}
