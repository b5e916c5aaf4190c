import { textAt, uint16, uint32 } from './byte-readers.ts'
import type { Size } from './preview-sizes.ts'

interface Box {
  type: string
  from: number
  to: number
}

function* boxesIn(bytes: Uint8Array, from: number, to: number): Generator<Box> {
  for (let at = from; at + 8 <= Math.min(to, bytes.length);) {
    const size = uint32(bytes, at)
    // A size of 1 means that the real size follows in eight bytes; 0 means that the box reaches to the end of the file.
    const head = size === 1 ? 16 : 8
    const long = uint32(bytes, at + 8) * 2 ** 32 + uint32(bytes, at + 12)
    const end = size === 0 ? to : at + (size === 1 ? long : size)
    if (end < at + head) return
    yield { type: textAt(bytes, at + 4, 4), from: at + head, to: end }
    at = end
  }
}

/** In a box of these types, this many bytes precede its inner boxes. */
const skipped: Record<string, number> = { meta: 4 }

function* find(bytes: Uint8Array, path: string[], from = 0, to = bytes.length): Generator<Box> {
  const [type = '', ...rest] = path
  for (const box of boxesIn(bytes, from, to)) {
    if (box.type !== type) continue
    const end = Math.min(box.to, to)
    if (rest.length > 0) yield* find(bytes, rest, box.from + (skipped[type] ?? 0), end)
    else yield { ...box, to: end }
  }
}

/**
 * Reads the sizes and the number of frames from the index of a HEIC or AVIF, wherever the index stands in the file. The
 * picture and each of its tiles state their size in a box `ispe`. A sequence of pictures has tracks like a film.
 */
export function readIsoPicture(bytes: Uint8Array): { sizes: Size[]; frames: number } {
  const sizes: Size[] = []
  for (const { from } of find(bytes, ['meta', 'iprp', 'ipco', 'ispe']))
    sizes.push({ width: uint32(bytes, from + 4), height: uint32(bytes, from + 8) })
  const table = ['moov', 'trak', 'mdia', 'minf', 'stbl']
  for (const { from } of find(bytes, [...table, 'stsd']))
    sizes.push({ width: uint16(bytes, from + 40), height: uint16(bytes, from + 42) })
  const counts = [...find(bytes, [...table, 'stsz'])].map(({ from }) => uint32(bytes, from + 8))
  return { sizes, frames: Math.max(1, ...counts) }
}

/** Returns whether every box of a HEIC or AVIF ends within the file. */
export const isWholeIso = (bytes: Uint8Array): boolean =>
  [...boxesIn(bytes, 0, bytes.length)].every(({ to }) => to <= bytes.length)
