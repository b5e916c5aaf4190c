import { textAt } from './byte-readers.ts'
import { BrokenCodingError } from './coded-units.ts'

/**
 * The configuration of these object types continues like the one of AAC-LC (type 2), with the few differences below.
 */
const general: ReadonlySet<number> = new Set([1, 2, 3, 4, 6, 7, 17, 19, 20, 21, 22, 23])
const [spectralBands, parametricStereo] = [5, 29]
/** The configuration of any other object type is copied if it has at most this many bytes. */
const mostOther = 32

/** Returns the configuration of AAC without its comment and without the bytes that follow it. */
export function cleanAacConfiguration(bytes: Uint8Array): Uint8Array {
  const bits = new Bits(bytes)
  let type = bits.type()
  bits.frequency()
  const channels = bits.read(4)
  if (type === spectralBands || type === parametricStereo) {
    bits.frequency()
    type = bits.type()
  }
  if (!general.has(type)) {
    if (bytes.length > mostOther) throw new BrokenCodingError('The configuration of the sound is too long.')
    return bytes
  }
  bits.skip(1)
  if (bits.read(1)) bits.skip(14)
  const isExtended = bits.read(1) === 1
  if (channels === 0) {
    bits.channels()
    // The added zero states that the comment is empty.
    return Uint8Array.from([...bits.sofar(), 0])
  }
  if (type === 6 || type === 20) bits.skip(3)
  if (isExtended) bits.skip(type === 22 ? 17 : [17, 19, 20, 23].includes(type) ? 4 : 1)
  if (bits.follows(11, 0x2b7)) {
    bits.skip(11)
    if (bits.type() === spectralBands && bits.read(1)) {
      bits.frequency()
      if (bits.follows(11, 0x548)) bits.skip(12)
    }
  }
  return bits.sofar()
}

/** Returns the head of Opus without the bytes behind its table of channels. */
export function cleanOpusHead(bytes: Uint8Array): Uint8Array {
  const size = bytes[18] === 0 ? 19 : 21 + (bytes[9] ?? 0)
  if (textAt(bytes, 0, 8) !== 'OpusHead' || bytes.length < size)
    throw new BrokenCodingError('The configuration of the sound cannot be read.')
  return bytes.subarray(0, size)
}

class Bits {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  read(count: number): number {
    if (this.#at + count > this.#bytes.length * 8)
      throw new BrokenCodingError('The configuration of the sound ends too early.')
    let value = 0
    for (; count > 0; count -= 1, this.#at += 1)
      value = value * 2 + (((this.#bytes[this.#at >> 3] ?? 0) >> (7 - (this.#at & 7))) & 1)
    return value
  }

  skip(count: number): void {
    this.read(count)
  }

  follows(count: number, value: number): boolean {
    const at = this.#at
    if (at + count > this.#bytes.length * 8) return false
    const isThere = this.read(count) === value
    this.#at = at
    return isThere
  }

  type(): number {
    const type = this.read(5)
    return type === 31 ? 32 + this.read(6) : type
  }

  frequency(): void {
    if (this.read(4) === 15) this.skip(24)
  }

  /** Skips the list of channel elements up to the comment behind it. */
  channels(): void {
    this.skip(10)
    const [front, side, back] = [this.read(4), this.read(4), this.read(4)]
    const [low, data, coupled] = [this.read(2), this.read(3), this.read(4)]
    for (const size of [4, 4, 3]) if (this.read(1)) this.skip(size)
    this.skip(5 * (front + side + back + coupled) + 4 * (low + data))
  }

  /** Returns the bytes up to the reading position, where the remaining bits of the last byte are zero. */
  sofar(): Uint8Array {
    const bytes = this.#bytes.slice(0, Math.ceil(this.#at / 8))
    const rest = this.#at & 7
    if (rest > 0) bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) & (0xff << (8 - rest))
    return bytes
  }
}
