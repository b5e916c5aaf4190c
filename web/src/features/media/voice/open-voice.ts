import { fromBase64Url } from '@sumlock/sealing/bytes'
import type { Bytes } from '@sumlock/sealing/bytes'
import { fileKey, openFile, sealedSize } from '@sumlock/sealing/file'
import { NotShownError, fetchRange } from '../open-picture.ts'
import type { MediaSourceOf } from '../open-picture.ts'
import { recognizeMedia } from '../prepare/recognize-media.ts'

/**
 * A larger file is not played as a voice message. The longest recording, five minutes at 32 kbit/s, has about 1.2 MB.
 */
const maxBytes = 8 * 2 ** 20

/** Fetches and opens a voice message. Rejects with a `TransferError`, a `NotShownError` or a `DamagedFileError`. */
export async function openVoice(source: MediaSourceOf, signal: AbortSignal): Promise<Blob> {
  const { media } = source
  if (media && media.size > maxBytes) throw new NotShownError(media.size)
  const from = media?.thumb ? sealedSize(media.thumb) : 0
  const length = media ? sealedSize(media.size) : maxBytes
  const { bytes, total } = await fetchRange(source, from, from + length - 1, signal)
  if (!media && total > maxBytes) throw new NotShownError(total)
  if (!media) return toSound(bytes)
  const key = await fileKey(fromBase64Url(media.key), 'file')
  return toSound(await openFile(key, bytes, media.size))
}

/**
 * Returns a blob whose type comes from the bytes, because the sender may declare a false one. Throws a `NotShownError`
 * if it is not sound.
 */
function toSound(bytes: Bytes): Blob {
  const found = recognizeMedia(bytes, 'audio')
  if (found?.kind !== 'audio') throw new NotShownError(bytes.length)
  return new Blob([bytes], { type: found.mime })
}
