import { BrokenCodingError, RecordReader, keepUnits, lengthSizeOf, withLength } from './coded-units.ts'
import type { Cleaner } from './clean-packets.ts'
import { keepSei } from './sei-messages.ts'

const headerSize = 2
const headSize = 22
const lastSlice = 9
const [firstKeySlice, lastKeySlice] = [16, 21]
const parameters: ReadonlySet<number> = new Set([32, 33, 34])
const ends: ReadonlySet<number> = new Set([36, 37])
const seiBefore = 39

const typeOf = ([header = 0]: Uint8Array) => (header >> 1) & 0x3f
/** Returns the layer of a unit. Layers above 0 hold a picture for the second eye or a mask, which no player shows. */
const layerOf = ([high = 0, low = 0]: Uint8Array) => ((high & 1) << 5) | (low >> 3)

/** Returns the part of an HEVC unit that a picture needs; null if it needs none. */
export function keepHevcUnit(unit: Uint8Array): Uint8Array | null {
  if (unit.length < headerSize || (unit[0] ?? 0) & 0x80)
    throw new BrokenCodingError('A unit has no header that can be read.')
  const type = typeOf(unit)
  if (layerOf(unit) > 0) return null
  if (type === seiBefore) return keepSei(unit, headerSize)
  const isSlice = type <= lastSlice || (type >= firstKeySlice && type <= lastKeySlice)
  const isEnd = ends.has(type) && unit.length === headerSize
  return isSlice || isEnd || parameters.has(type) ? unit : null
}

/**
 * Returns the cleaner of an HEVC track. It keeps only the parameter sets and colours of the configuration record
 * `hvcC`, and the parts of the packets that pictures need.
 */
export function cleanHevc(record: Uint8Array): Cleaner {
  const reader = new RecordReader(record)
  const head = reader.bytes(headSize)
  const lengthSize = lengthSizeOf(head.at(-1) ?? 0)
  const arrays: number[][] = []
  for (let left = reader.number(1); left > 0; left -= 1) {
    const type = reader.number(1)
    const units = Array.from({ length: reader.number(2) }, () => reader.unit())
    const kept = units
      .filter(
        (unit) =>
          typeOf(unit) === (type & 0x3f) && (parameters.has(typeOf(unit)) || typeOf(unit) === seiBefore),
      )
      .map(keepHevcUnit)
      .filter((unit) => unit !== null)
    if (kept.length > 0)
      arrays.push([type & 0xbf, kept.length >> 8, kept.length & 0xff, ...kept.flatMap(withLength)])
  }
  const description = Uint8Array.from([...head, arrays.length, ...arrays.flat()])
  return { description, clean: (packet) => keepUnits(packet, lengthSize, keepHevcUnit) }
}
