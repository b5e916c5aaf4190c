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

/** Thrown for a file that is of no kind that may be shown, or that is too large. `size` is in bytes. */
export class NotShownError extends Error {
  override readonly name = 'NotShownError'
  readonly size: number
  constructor(size: number) {
    super('This file can’t be shown')
    this.size = size
  }
}

/** Describes where the media of a message are stored and how they are opened. */
export interface MediaSourceOf {
  mediaUrl: string
  /** The sealed message describes its media here, with the key; undefined if the media are not sealed. */
  media: MediaInfo | undefined
  /** `withConnection` limits the number of concurrent fetches, and `own` has the pictures that this page has sent. */
  io?: Pick<Media, 'withConnection' | 'own' | 'loss'>
}

const headLength = 65_536
/** A larger file that is not sealed is not shown. The camera button has the same limit, in bytes. */
const maxPlainBytes = 10_485_760

/**
 * Fetches and opens the thumbnail of sealed media; resolves to null if they have none. Rejects as `openPicture` does.
 */
export async function openThumb(source: MediaSourceOf, signal: AbortSignal): Promise<Blob | null> {
  const { media, mediaUrl, io } = source
  const own = io?.own.get(mediaUrl)?.thumb
  if (own) return own
  if (!media?.thumb) return null
  const sealed = await fetchRange(source, 0, sealedSize(media.thumb) - 1, signal)
  const key = await fileKey(fromBase64Url(media.key), 'thumb')
  return toPicture(await openFile(key, sealed.bytes, media.thumb))
}

/** Fetches and opens a whole picture. Rejects with a `TransferError`, a `NotShownError` or a `DamagedFileError`. */
export async function openPicture(source: MediaSourceOf, signal: AbortSignal): Promise<Blob> {
  const { media, mediaUrl, io } = source
  const own = io?.own.get(mediaUrl)?.file
  if (own) return own
  if (!media) return openPlain(source, signal)
  const from = media.thumb ? sealedSize(media.thumb) : 0
  const sealed = await fetchRange(source, from, from + sealedSize(media.size) - 1, signal)
  const key = await fileKey(fromBase64Url(media.key), 'file')
  return toPicture(await openFile(key, sealed.bytes, media.size))
}

/**
 * Fetches a picture that is not sealed. The rest of a file is fetched only if its first bytes are those of a picture.
 */
async function openPlain(source: MediaSourceOf, signal: AbortSignal): Promise<Blob> {
  const head = await fetchRange(source, 0, headLength - 1, signal)
  const isPicture = recognizeMedia(head.bytes, 'image')?.kind === 'image'
  if (!isPicture || head.total > maxPlainBytes) throw new NotShownError(head.total)
  if (head.total <= headLength) return toPicture(head.bytes)
  return toPicture((await fetchRange(source, 0, head.total - 1, signal)).bytes)
}

/**
 * Returns a blob whose type comes from the bytes, because the sender may declare a false one. Throws a `NotShownError`
 * for anything but a picture of a size that phones can decode.
 */
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

/**
 * Fetches the bytes `first` to `last`, both included, of a stored file, and returns the file's total size with them.
 * Rejects with a `TransferError`.
 */
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
    // `fetch` rejects with a `TypeError` if the connection was refused or lost.
    throw error instanceof TypeError ? new TransferError(0) : error
  })
}
