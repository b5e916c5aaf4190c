import { toBase64Url } from '@sumlock/sealing/bytes'
import type { AskSender } from './ask-sender.ts'
import { fileKind } from './file-kind.ts'
import { MediaRefusedError } from './media-refused-error.ts'
import { preparePicture } from './prepare-picture.ts'
import type { PreparedMedia } from './prepared-media.ts'

/** Prepares a chosen file for sending, by the kind that its bytes reveal. Rejects with a `MediaRefusedError`. */
export async function prepareMedia(
  file: Blob,
  ask: AskSender = () => Promise.resolve(false),
): Promise<PreparedMedia> {
  const kind = await fileKind(file)
  if (kind === 'film') {
    const { prepareVideo } = await import('./prepare-video.ts').catch(() => {
      throw new MediaRefusedError('not_prepared')
    })
    return prepareVideo(file, ask)
  }
  if (kind !== 'picture') throw new MediaRefusedError(kind)
  const { blob, thumb, hash, width: w, height: h, isAnimated } = await preparePicture(file)
  const info = { w, h, hash: toBase64Url(hash), ...(isAnimated && { moves: true as const }) }
  return { messageType: 'image', file: blob, thumb, info }
}
