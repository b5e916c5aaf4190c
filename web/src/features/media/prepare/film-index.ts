import { textAt, uint16, uint32 } from './byte-readers.ts'
import { boxesAt, webmEnd } from './media-tracks.ts'
import type { Part } from './media-tracks.ts'

/** Reads a film piece by piece, so that a large one is never read as a whole. */
export interface FilmBytes {
  size: number
  read: (from: number, to: number) => Promise<Uint8Array>
}

/** An edit is a part of a track that players show. Parts outside of all edits are hidden. */
export interface Edit {
  /** The part begins at this second of the track; null stands for a time in which nothing is shown. */
  fromS: number | null
  /** The part lasts this many seconds; Infinity reaches to the end of the track. */
  lengthS: number
  /** The part is shown at this speed, where 1 is normal. */
  rate: number
}

/** The index of an MP4 states these facts about a track, which Mediabunny does not return. */
export interface TrackIndex {
  id: number
  /** The list is empty if the whole track is shown. */
  edits: Edit[]
  /** The track's packets have this many different codings; a film that was joined from parts may have several. */
  codings: number
  isProtected: boolean
  /**
   * True for sound that plays by default. Of the tracks of one group, only one plays at a time; the tracks of group 0
   * have no alternatives.
   */
  isSound: boolean
  group: number
}

interface Box {
  type: string
  from: number
  to: number
}

/** A larger index is not read, because no film of 60 MB has one. */
const maxIndexBytes = 32 * 2 ** 20
const mostBoxes = 100_000
const mostEdits = 1000
/** The head of a WebM ends within this many bytes. */
const firstBytes = 4096
/** Only these boxes belong to the film. Programs may append others, which may be cut off without harm. */
const media: ReadonlySet<string> = new Set(['moov', 'moof', 'mdat'])

/**
 * Reads the tracks of an MP4 or QuickTime file from its index. Returns undefined if the index is missing, cut off or
 * too large.
 */
export async function readFilmIndex(film: FilmBytes): Promise<TrackIndex[] | undefined> {
  for await (const { type, from, to } of boxesOf(film))
    if (type === 'moov')
      return to <= film.size && to - from <= maxIndexBytes ? tracksOf(await film.read(from, to)) : undefined
  return undefined
}

/** Returns whether an MP4 or WebM announces more bytes than the file has, because its end is missing. */
export async function isCutOff(film: FilmBytes): Promise<boolean> {
  const end = webmEnd(await film.read(0, Math.min(film.size, firstBytes)))
  if (end !== undefined) return Number.isFinite(end) && end > film.size
  for await (const { type, to } of boxesOf(film)) if (media.has(type) && to > film.size) return true
  return false
}

/** Yields the outermost boxes of a file in order. */
async function* boxesOf({ size, read }: FilmBytes): AsyncGenerator<Box> {
  for (let at = 0, count = 0; at + 8 <= size && count < mostBoxes; count += 1) {
    const head = await read(at, Math.min(size, at + 16))
    const length = uint32(head, 0)
    const to =
      length === 0 ? size : length === 1 ? at + uint32(head, 8) * 2 ** 32 + uint32(head, 12) : at + length
    yield { type: textAt(head, 4, 4), from: at, to }
    if (to < at + 8) return
    at = to
  }
}

function tracksOf(bytes: Uint8Array): TrackIndex[] {
  const whole = { from: 0, to: bytes.length }
  const [header] = boxesAt(bytes, ['moov', 'mvhd'], whole)
  const movieScale = header ? scaleOf(bytes, header) : 0
  return boxesAt(bytes, ['moov', 'trak'], whole).map((track) => {
    const [head] = boxesAt(bytes, ['tkhd'], track)
    const [media] = boxesAt(bytes, ['mdia', 'mdhd'], track)
    const [list] = boxesAt(bytes, ['edts', 'elst'], track)
    const [entries] = boxesAt(bytes, ['mdia', 'minf', 'stbl', 'stsd'], track)
    const [handler] = boxesAt(bytes, ['mdia', 'hdlr'], track)
    const codings = entries ? codingsOf(bytes, entries) : []
    return {
      id: head ? uint32(bytes, head.from + (bytes[head.from] === 1 ? 20 : 12)) : 0,
      isSound:
        head !== undefined && isOn(bytes, head) && textAt(bytes, (handler?.from ?? 0) + 8, 4) === 'soun',
      group: head ? uint16(bytes, head.from + (bytes[head.from] === 1 ? 46 : 34)) : 0,
      edits: list && media ? editsOf(bytes, list, movieScale, scaleOf(bytes, media)) : [],
      codings: new Set(codings).size,
      isProtected: codings.some((coding) => /^enc[va]/.test(coding)),
    }
  })
}

const isOn = (bytes: Uint8Array, { from }: Part) => ((bytes[from + 3] ?? 0) & 1) === 1

/** Reads the units of time per second from a header of the movie or of a track's media. */
const scaleOf = (bytes: Uint8Array, { from }: Part) =>
  uint32(bytes, from + (bytes[from] === 1 ? 20 : 12)) || 1

function editsOf(bytes: Uint8Array, { from, to }: Part, movieScale: number, mediaScale: number): Edit[] {
  const isLong = bytes[from] === 1
  const entryBytes = isLong ? 20 : 12
  const count = Math.min(uint32(bytes, from + 4), Math.floor((to - from - 8) / entryBytes), mostEdits)
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const at = from + 8 + index * entryBytes
    const length = isLong ? uint32(bytes, at) * 2 ** 32 + uint32(bytes, at + 4) : uint32(bytes, at)
    const start = isLong ? signed(bytes, at + 8) * 2 ** 32 + uint32(bytes, at + 12) : signed(bytes, at + 4)
    const isLast = index === count - 1
    return {
      fromS: start < 0 ? null : start / mediaScale,
      lengthS: length === 0 && isLast && start >= 0 ? Infinity : length / (movieScale || 1),
      rate: signed(bytes, at + entryBytes - 4) / 0x10000,
    }
  })
}

const signed = (bytes: Uint8Array, at: number) => uint32(bytes, at) | 0

/** Returns the codings in a sample description box, each as its type and its first 4096 bytes of content. */
function codingsOf(bytes: Uint8Array, { from, to }: Part): string[] {
  return boxesAt(bytes, [], { from: from + 8, to }).map(
    ({ type, from: start, to: end }) =>
      `${type} ${Array.from(bytes.subarray(start, Math.min(end, start + 4096))).join()}`,
  )
}
