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

/** The file is none that may be shown; `size` in bytes. */
export class NotShownError extends Error {
  override readonly name = 'NotShownError'
  readonly size: number
  constructor(size: number) {
    super('This file can’t be shown')
    this.size = size
  }
}

/** Where the media of a message are stored, and what opens them. */
export interface MediaSourceOf {
  mediaUrl: string
  /** Undefined for a file in the open. */
  media: MediaInfo | undefined
  /** Limits how many files are fetched at once. */
  io?: Pick<Media, 'withConnection'>
}

const headLength = 65_536
/** What a camera button sends at most; a file in the open is no larger. */
const maxPlainBytes = 10_485_760

/** Fetches the thumbnail of a sealed picture; null when it has none. */
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

/** What the bytes say decides, not what anyone declared: only pictures of a bearable size become a blob. */
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

/** Bytes `first` to `last` of a stored file, and how many it has in all. Rejects with a `TransferError`. */
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
    // The connection was refused or cut.
    throw error instanceof TypeError ? new TransferError(0) : error
  })
}
