import { textAt, uint32 } from './byte-readers.ts'

/** A part is a box of an MP4 or an element of a WebM. Its content lies between `from` and `to`. */
export interface Part {
  type: string | number
  from: number
  to: number
}
type PartsOf = (bytes: Uint8Array, from: number, to: number) => Generator<Part>

function* boxes(bytes: Uint8Array, from: number, to: number): Generator<Part> {
  for (let at = from; at + 8 <= Math.min(to, bytes.length);) {
    const size = uint32(bytes, at)
    // A size of 1 means that the real size follows in eight bytes; 0 means that the box reaches to the end of the file.
    const head = size === 1 ? 16 : 8
    const end = size === 1 ? at + uint32(bytes, at + 8) * 2 ** 32 + uint32(bytes, at + 12) : at + size
    const part = { type: textAt(bytes, at + 4, 4), from: at + head, to: size === 0 ? Infinity : end }
    if (part.to < part.from) return
    yield part
    at = part.to
  }
}

function* elements(bytes: Uint8Array, from: number, to: number): Generator<Part> {
  for (let at = from; at < Math.min(to, bytes.length);) {
    const idBytes = Math.clz32(bytes[at] ?? 0) - 23
    const sizeBytes = Math.clz32(bytes[at + idBytes] ?? 0) - 23
    if (idBytes > 4 || sizeBytes > 8) return
    const type = number(bytes, at, idBytes)
    const content = at + idBytes + sizeBytes
    const size = number(bytes, at + idBytes, sizeBytes) - 2 ** (7 * sizeBytes)
    // A size whose bits are all ones was not known when the file was written.
    const isOpen = size === 2 ** (7 * sizeBytes) - 1
    yield { type, from: content, to: isOpen ? Infinity : content + size }
    at = isOpen ? Infinity : content + size
  }
}

const number = (bytes: Uint8Array, at: number, length: number) =>
  bytes.subarray(at, at + length).reduce((value, byte) => value * 256 + byte, 0)

/** Returns the boxes at a path of types; an empty path returns all boxes at that level. */
export const boxesAt = (bytes: Uint8Array, path: string[], { from, to }: Omit<Part, 'type'>): Part[] => [
  ...(path.length > 0 ? find(bytes, boxes, path, from, to) : boxes(bytes, from, Math.min(to, bytes.length))),
]

function* find(
  bytes: Uint8Array,
  partsOf: PartsOf,
  [type, ...path]: Part['type'][],
  from = 0,
  to = bytes.length,
): Generator<Part> {
  for (const part of partsOf(bytes, from, to)) {
    if (part.type !== type) continue
    // An inner part may state an end beyond its outer part. Without this limit, a small file could make the search read
    // the same bytes again and again.
    if (path.length > 0) yield* find(bytes, partsOf, path, part.from, Math.min(part.to, to))
    else yield part
  }
}

/** Returns the kind of a file by its tracks; undefined if the beginning of the file does not list all of them. */
function kindOf(isListWhole: boolean, kinds: ('video' | 'audio' | undefined)[]) {
  if (kinds.includes('video')) return 'video'
  return isListWhole && kinds.includes('audio') ? 'audio' : undefined
}

export function mp4Kind(bytes: Uint8Array): 'video' | 'audio' | undefined {
  const [movie] = find(bytes, boxes, ['moov'])
  const handlers = [...find(bytes, boxes, ['moov', 'trak', 'mdia', 'hdlr'])]
  const kinds = { vide: 'video', soun: 'audio' } as const
  return kindOf(
    movie !== undefined && movie.to <= bytes.length,
    handlers.map(({ from }) => kinds[textAt(bytes, from + 8, 4) as keyof typeof kinds]),
  )
}

const ebml = 0x1a45dfa3
const docType = 0x4282
const segment = 0x18538067
const tracks = 0x1654ae6b
const trackEntry = 0xae
const trackType = 0x83

/**
 * Returns whether the file states the type `webm`. A Matroska file begins in the same way, but no browser promises to
 * play it.
 */
export function isWebm(bytes: Uint8Array): boolean {
  const [type] = find(bytes, elements, [ebml, docType])
  return type !== undefined && textAt(bytes, type.from, 4) === 'webm' && type.to - type.from === 4
}

/**
 * Returns the position at which a WebM ends according to its header: Infinity if this was unknown when the file was
 * written, undefined for any other file.
 */
export function webmEnd(bytes: Uint8Array): number | undefined {
  const [content] = isWebm(bytes) ? find(bytes, elements, [segment]) : []
  return content?.to
}

export function webmKind(bytes: Uint8Array): 'video' | 'audio' | undefined {
  const [list] = find(bytes, elements, [segment, tracks])
  const types = [...find(bytes, elements, [segment, tracks, trackEntry, trackType])]
  const kinds = ['video', 'audio'] as const
  return kindOf(
    list !== undefined && list.to <= bytes.length,
    types.map(({ from }) => kinds[(bytes[from] ?? 0) - 1]),
  )
}
