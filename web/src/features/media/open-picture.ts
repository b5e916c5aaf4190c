import { fromBase64Url } from '@sumlock/sealing/bytes'
import type { Bytes } from '@sumlock/sealing/bytes'
import { fileKey, openFile, sealedSize } from '@sumlock/sealing/file'
import { platform } from '../device/platform.ts'
import type { MediaInfo } from '../sealed/media-info.ts'
import type { Media } from './media.ts'
import { maxAnimationPixels, maxFrames, maxPixels } from './prepare/picture-limits.ts'
import { readPictureHeader } from './prepare/picture-header.ts'
import { recognizeMedia } from './prepare/recognize-media.ts'
import { TransferError } from './put-file.ts'

/** The file is not of a kind that may be shown; `size` in bytes. */
export class NotShownError extends Error {
  override readonly name = 'NotShownError'
  readonly size: number
  constructor(size: number) {
    super('This file can’t be shown')
    this.size = size
  }
}

/** The storage address of a message's media, and the key that opens them. */
export interface MediaSourceOf {
  mediaUrl: string
  /** Undefined for a file that is not sealed. */
  media: MediaInfo | undefined
  /** Limits the number of concurrent fetches. */
  io?: Pick<Media, 'withConnection'>
}

const headLength = 65_536
/** A camera button sends at most this much, so an unsealed file is not larger. */
const maxPlainBytes = 10_485_760

/** Fetches the thumbnail of a sealed picture; null if it has none. */
export async function openThumb(source: MediaSourceOf, signal: AbortSignal): Promise<Blob | null> {
  const { media } = source
  if (!media?.thumb) return null
  const sealed = await fetchRange(source, 0, sealedSize(media.thumb) - 1, signal)
  const key = await fileKey(fromBase64Url(media.key), 'thumb')
  return toPicture(await openFile(key, sealed.bytes, media.thumb))
}

/** Fetches and opens a whole picture. Rejects with a `TransferError`, a `NotShownError` or a `DamagedFileError`. */
export async function openPicture(source: MediaSourceOf, signal: AbortSignal): Promise<Blob> {
  const { media } = source
  if (!media) return openPlain(source, signal)
  const from = media.thumb ? sealedSize(media.thumb) : 0
  const sealed = await fetchRange(source, from, from + sealedSize(media.size) - 1, signal)
  const key = await fileKey(fromBase64Url(media.key), 'file')
  return toPicture(await openFile(key, sealed.bytes, media.size))
}

/** The first bytes decide whether the rest is fetched. */
async function openPlain(source: MediaSourceOf, signal: AbortSignal): Promise<Blob> {
  const head = await fetchRange(source, 0, headLength - 1, signal)
  const isPicture = recognizeMedia(head.bytes, 'image')?.kind === 'image'
  if (!isPicture || head.total > maxPlainBytes) throw new NotShownError(head.total)
  if (head.total <= headLength) return toPicture(head.bytes)
  return toPicture((await fetchRange(source, 0, head.total - 1, signal)).bytes)
}

/** The bytes decide, not the declared type: only pictures of a bearable size become a blob. */
function toPicture(bytes: Bytes): Blob {
  const found = recognizeMedia(bytes, 'image')
  const header = readPictureHeader(bytes)
  if (found?.kind !== 'image' || !header) throw new NotShownError(bytes.length)
  const pixels = header.width * header.height
  const isBearable =
    pixels <= maxPixels && header.frames <= maxFrames && pixels * header.frames <= maxAnimationPixels
  if (!isBearable) throw new NotShownError(bytes.length)
  return new Blob([bytes], { type: found.mime })
}

/** Fetches the bytes `first` to `last` of a stored file, and its total size. Rejects with a `TransferError`. */
export async function fetchRange(
  { mediaUrl, io }: MediaSourceOf,
  first: number,
  last: number,
  signal: AbortSignal,
): Promise<{ bytes: Bytes; total: number }> {
  const read = async () => {
    const headers = { range: `bytes=${first}-${last}` }
    const answer = await fetch(platform.serverUrl() + mediaUrl, { headers, credentials: 'include', signal })
    if (!answer.ok) throw new TransferError(answer.status)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const total = Number(answer.headers.get('content-range')?.split('/')[1] ?? bytes.length)
    return { bytes, total }
  }
  return (io ? io.withConnection(read) : read()).catch((error: unknown) => {
    signal.throwIfAborted()
    // The connection was refused or lost.
    throw error instanceof TypeError ? new TransferError(0) : error
  })
}
