import { BrokenCodingError } from './coded-units.ts'

const metadata = 5
/** Units of these types are sent: sequence headers, frames, and parts of frames. */
const kept: ReadonlySet<number> = new Set([1, 3, 4, 6, 7])
/**
 * Metadata on colours are sent if they have exactly this many bytes. Kind 1 states the brightness of the content, kind
 * 2 describes the mastering display.
 */
const colorSizes: ReadonlyMap<number, number> = new Map([
  [1, 4],
  [2, 24],
])
/** A metadata unit ends with this byte. */
const trailing = 0x80

/** Returns an AV1 packet with only the units that a picture needs; empty if there are none. */
export function keepAv1Units(packet: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = []
  let size = 0
  for (let at = 0; at < packet.length;) {
    const header = packet[at] ?? 0
    if (header & 0x80) throw new BrokenCodingError('The first bit of a unit is not zero.')
    const type = (header >> 3) & 0x0f
    const headEnd = at + (header & 0x04 ? 2 : 1)
    const [length, from] = header & 0x02 ? countAt(packet, headEnd) : [packet.length - headEnd, headEnd]
    const end = from + length
    if (length < 0 || end > packet.length) throw new BrokenCodingError('A unit is longer than its packet.')
    if (kept.has(type) || (type === metadata && isColor(packet.subarray(from, end)))) {
      parts.push(packet.subarray(at, end))
      size += end - at
    }
    at = end
  }
  if (size === packet.length) return packet
  const clean = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    clean.set(part, at)
    at += part.length
  }
  return clean
}

const isColor = (content: Uint8Array): boolean => {
  const size = colorSizes.get(content[0] ?? 0)
  return size !== undefined && content.length === size + 2 && content.at(-1) === trailing
}

/** Reads a number in groups of seven bits, the lowest first, and returns it with the position after it. */
function countAt(bytes: Uint8Array, from: number): [count: number, end: number] {
  let count = 0
  for (let index = 0; index < 8; index += 1) {
    const byte = bytes[from + index]
    if (byte === undefined) break
    count += (byte & 0x7f) * 2 ** (7 * index)
    if (byte < 0x80) return [count, from + index + 1]
  }
  throw new BrokenCodingError('The length of a unit does not end.')
}
