/** A message is dropped if it has fewer bytes than the first number or more than the second. */
type Sizes = readonly [least: number, most: number]

/**
 * A picture needs only these messages, whose numbers are the same in H.264 and HEVC: they state where decoding can
 * begin and how colours are meant. All others, such as notes of a camera or a program, may reveal something about the
 * person.
 */
const kept: ReadonlyMap<number, Sizes> = new Map([
  [6, [1, 5]], // recovery point
  [137, [24, 24]], // mastering display
  [144, [4, 4]], // brightness of the content
  [147, [1, 1]], // alternative transfer function
])

/** Returns a unit with only the messages that may be sent; null if none is left or the unit is broken. */
export function keepSei(unit: Uint8Array, headerSize: number): Uint8Array | null {
  const bytes = withoutEscapes(unit.subarray(headerSize))
  const end = bytes.findLastIndex((byte) => byte !== 0)
  const messages = new Map<number, number[]>()
  for (let at = 0; at < end;) {
    const [type, sizeAt] = countAt(bytes, at)
    const [size, from] = countAt(bytes, sizeAt)
    if (from + size > end) return null
    const [least, most] = kept.get(type) ?? [1, 0]
    if (size >= least && size <= most && !messages.has(type))
      messages.set(type, [...bytes.subarray(at, from + size)])
    at = from + size
  }
  if (messages.size === 0 || bytes[end] !== 0x80) return null
  return Uint8Array.from([
    ...unit.subarray(0, headerSize),
    ...withEscapes([...messages.values()].flat()),
    0x80,
  ])
}

/** Reads a number that is written as a sum of bytes, and returns it with the position after it. */
function countAt(bytes: Uint8Array, from: number): [count: number, end: number] {
  let count = 0
  let at = from
  while (bytes[at] === 0xff) {
    count += 255
    at += 1
  }
  return [count + (bytes[at] ?? 0), at + 1]
}

/** Removes each byte 3 behind two zeros, which only keeps the data from looking like the beginning of a unit. */
function withoutEscapes(bytes: Uint8Array): Uint8Array {
  let zeros = 0
  return bytes.filter((byte) => {
    const isEscape = zeros >= 2 && byte === 3
    zeros = byte === 0 ? zeros + 1 : 0
    return !isEscape
  })
}

function withEscapes(bytes: readonly number[]): number[] {
  let zeros = 0
  return bytes.flatMap((byte) => {
    const isTaken = zeros >= 2 && byte <= 3
    zeros = byte === 0 ? (isTaken ? 1 : zeros + 1) : 0
    return isTaken ? [3, byte] : [byte]
  })
}
