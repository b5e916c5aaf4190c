import { fromBase64Url } from '@sumlock/sealing/bytes'
import type { Bytes } from '@sumlock/sealing/bytes'
import { chunkSize, fileKey, fileOpener, headerLength, sealedSize } from '@sumlock/sealing/file'
import { NotShownError, fetchRange as fetchOnce } from '../open-picture.ts'
import type { MediaSourceOf } from '../open-picture.ts'
import { retrying } from '../retrying.ts'
import { recognizeMedia } from '../prepare/recognize-media.ts'

/** Reads a stored film piece by piece; sealed pieces are decrypted when they are read. */
export interface FilmSource {
  /** The decrypted film has this many bytes. */
  size: number
  read: (from: number, to: number) => Promise<Bytes>
}

/** This many chunks of 1 MiB stay in memory. */
const keptChunks = 6
/** No upload is larger than this, in bytes. */
const maxBytes = 60_000_000

/** Fetches a range, and repeats the fetch after a temporary failure. */
const fetchRange: typeof fetchOnce = (source, first, last, signal) =>
  retrying(() => fetchOnce(source, first, last, signal), { loss: source.io?.loss, signal })

/**
 * Opens a stored film for reading. Rejects with a `TransferError`, a `DamagedFileError`, or a `NotShownError` if the
 * file is not a film.
 */
export async function openFilm(source: MediaSourceOf, signal: AbortSignal): Promise<FilmSource> {
  const { size, chunk } = source.media
    ? await sealedChunks(source, source.media, signal)
    : await plainChunks(source, signal)
  const kept = new Map<number, Promise<Bytes>>()
  const chunkAt = (index: number): Promise<Bytes> => {
    const known = kept.get(index)
    kept.delete(index)
    const bytes = known ?? chunk(index)
    kept.set(index, bytes)
    bytes.catch(() => kept.delete(index))
    const [oldest] = kept.keys()
    if (kept.size > keptChunks && oldest !== undefined) kept.delete(oldest)
    return bytes
  }
  if (recognizeMedia(await chunkAt(0), 'video')?.kind !== 'video') throw new NotShownError(size)
  return {
    size,
    async read(from, to) {
      const bytes = new Uint8Array(to - from)
      const last = Math.floor((to - 1) / chunkSize)
      for (let index = Math.floor(from / chunkSize); index <= last; index += 1) {
        const start = index * chunkSize
        const piece = (await chunkAt(index)).subarray(Math.max(0, from - start), to - start)
        bytes.set(piece, Math.max(0, start - from))
      }
      // Films are read forwards, so the next chunk is fetched in advance.
      if ((last + 1) * chunkSize < size) chunkAt(last + 1).catch(() => undefined)
      return bytes
    },
  }
}

async function sealedChunks(
  source: MediaSourceOf,
  media: NonNullable<MediaSourceOf['media']>,
  signal: AbortSignal,
) {
  const { size } = media
  const base = media.thumb ? sealedSize(media.thumb) : 0
  const key = await fileKey(fromBase64Url(media.key), 'file')
  const head = fetchRange(source, base, base + headerLength - 1, signal)
  const opener = fileOpener(key, (await head).bytes, size)
  const chunk = async (index: number) => {
    const [from, to] = opener.rangeOf(index)
    return opener.open(index, (await fetchRange(source, base + from, base + to - 1, signal)).bytes)
  }
  return { size, chunk }
}

/** Reads a file that is not sealed. More of it is fetched only if its first bytes are those of a film. */
async function plainChunks(source: MediaSourceOf, signal: AbortSignal) {
  const chunk = async (index: number) => {
    const from = index * chunkSize
    return (await fetchRange(source, from, from + chunkSize - 1, signal)).bytes
  }
  const first = await fetchRange(source, 0, 65_535, signal)
  const isFilm = recognizeMedia(first.bytes, 'video')?.kind === 'video'
  if (!isFilm || first.total > maxBytes) throw new NotShownError(first.total)
  return { size: first.total, chunk }
}
