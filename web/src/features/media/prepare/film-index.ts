import { textAt, uint16, uint32 } from './byte-readers.ts'
import { boxesAt, webmEnd } from './media-tracks.ts'
import type { Part } from './media-tracks.ts'

/** Bytes that are read piece by piece. */
export interface FilmBytes {
  size: number
  read: (from: number, to: number) => Promise<Uint8Array>
}

/** A part of a track that is shown. Parts outside of all edits are hidden. */
export interface Edit {
  /** The beginning of the part in the track, in seconds; null if nothing is shown. */
  fromS: number | null
  /** Infinity means to the end. */
  lengthS: number
  /** The speed at which it is shown. */
  rate: number
}

/** Facts about a track in the index of an MP4 that the library does not read. */
export interface TrackIndex {
  id: number
  /** Empty if the whole track is shown. */
  edits: Edit[]
  /** The number of ways in which its packets are coded. */
  codings: number
  isProtected: boolean
  /**
   * Whether it is a sound that plays unless the person chooses another one of its group. Group zero has no
   * alternatives.
   */
  isSound: boolean
  group: number
}

interface Box {
  type: string
  from: number
  to: number
}

/** No index of a film of 60 MB is larger. */
const maxIndexBytes = 32 * 2 ** 20
const mostBoxes = 100_000
const mostEdits = 1000
/** The head of a WebM ends earlier. */
const firstBytes = 4096
/** The boxes that belong to the film. Other programs append boxes of their own. */
const media: ReadonlySet<string> = new Set(['moov', 'moof', 'mdat'])

/** Reads the tracks of an MP4 or QuickTime file from its index; undefined if it has none. */
export async function readFilmIndex(film: FilmBytes): Promise<TrackIndex[] | undefined> {
  for await (const { type, from, to } of boxesOf(film))
    if (type === 'moov')
      return to <= film.size && to - from <= maxIndexBytes ? tracksOf(await film.read(from, to)) : undefined
  return undefined
}

/** Whether an MP4 or WebM announces more bytes than the file has, because its end is missing. */
export async function isCutOff(film: FilmBytes): Promise<boolean> {
  const end = webmEnd(await film.read(0, Math.min(film.size, firstBytes)))
  if (end !== undefined) return Number.isFinite(end) && end > film.size
  for await (const { type, to } of boxesOf(film)) if (media.has(type) && to > film.size) return true
  return false
}

/** Yields the boxes of a file in order. */
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

/** Yields the entries of a list of codings, each as its type and its content. */
function codingsOf(bytes: Uint8Array, { from, to }: Part): string[] {
  return boxesAt(bytes, [], { from: from + 8, to }).map(
    ({ type, from: start, to: end }) =>
      `${type} ${Array.from(bytes.subarray(start, Math.min(end, start + 4096))).join()}`,
  )
}
