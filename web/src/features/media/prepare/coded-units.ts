/** Thrown if packets break the rules of their codec, so that the parts to send cannot be separated from the rest. */
export class BrokenCodingError extends Error {
  override readonly name = 'BrokenCodingError'
}

/** Returns the part of a coded unit that may be sent, or null if the unit must not be sent. */
export type KeepUnit = (unit: Uint8Array) => Uint8Array | null

export type LengthSize = 1 | 2 | 4

/** Yields the units of a packet of H.264 or HEVC, where each unit is preceded by its length. */
export function* unitsOf(packet: Uint8Array, lengthSize: LengthSize): Generator<Uint8Array> {
  for (let at = 0; at < packet.length;) {
    const from = at + lengthSize
    const length = packet.subarray(at, from).reduce((value, byte) => value * 256 + byte, 0)
    if (from + length > packet.length) throw new BrokenCodingError('A unit is longer than its packet.')
    yield packet.subarray(from, from + length)
    at = from + length
  }
}

/** Returns the packet with only the kept units; empty if there are none. */
export function keepUnits(packet: Uint8Array, lengthSize: LengthSize, keep: KeepUnit): Uint8Array {
  let isChanged = false
  const kept: Uint8Array[] = []
  for (const unit of unitsOf(packet, lengthSize)) {
    const wanted = unit.length > 0 ? keep(unit) : null
    if (wanted) kept.push(wanted)
    isChanged ||= wanted !== unit
  }
  return isChanged ? joinUnits(kept, lengthSize) : packet
}

function joinUnits(units: readonly Uint8Array[], lengthSize: LengthSize): Uint8Array {
  const size = units.reduce((sum, { length }) => sum + lengthSize + length, 0)
  const packet = new Uint8Array(size)
  let at = 0
  for (const unit of units) {
    for (
      let index = lengthSize - 1, rest = unit.length;
      index >= 0;
      index -= 1, rest = Math.floor(rest / 256)
    )
      packet[at + index] = rest % 256
    packet.set(unit, at + lengthSize)
    at += lengthSize + unit.length
  }
  return packet
}

/**
 * Reads a codec's configuration record from its beginning. Throws a `BrokenCodingError` if the record ends too early.
 */
export class RecordReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  bytes(length: number): Uint8Array {
    if (length > this.left) throw new BrokenCodingError('The configuration ends too early.')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  number(length: 1 | 2): number {
    return this.bytes(length).reduce((value, byte) => value * 256 + byte, 0)
  }

  /** Reads a length of two bytes, and then a unit of that length. */
  unit(): Uint8Array {
    return this.bytes(this.number(2))
  }
}

/** Returns a unit preceded by its length in two bytes. */
export const withLength = (unit: Uint8Array): number[] => [unit.length >> 8, unit.length & 0xff, ...unit]

/** Reads the size of the length fields from the last two bits of a configuration byte. */
export function lengthSizeOf(byte: number): LengthSize {
  const size = (byte & 3) + 1
  if (size === 3) throw new BrokenCodingError('No coding has lengths of three bytes.')
  return size as LengthSize
}
