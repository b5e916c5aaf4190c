import { BrokenCodingError, RecordReader, keepUnits, lengthSizeOf, withLength } from './coded-units.ts'
import type { Cleaner } from './clean-packets.ts'
import { keepSei } from './sei-messages.ts'

const sei = 6
const sequenceParameters = 7
const pictureParameters = 8
/**
 * Units of these types are sent unchanged: slices, whole or in partitions, and the parameter sets that slices refer to.
 */
const kept: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, sequenceParameters, pictureParameters])
/**
 * In these profiles the configuration record ends with bytes on colour format and bit depth, which must be copied as
 * well.
 */
const highProfiles: ReadonlySet<number> = new Set([100, 110, 122, 144])

const typeOf = ([header = 0]: Uint8Array) => header & 0x1f

/** Returns the part of an H.264 unit that a picture needs; null if it needs none. */
export function keepH264Unit(unit: Uint8Array): Uint8Array | null {
  if ((unit[0] ?? 0) & 0x80) throw new BrokenCodingError('The first bit of a unit is not zero.')
  const type = typeOf(unit)
  if (type === sei) return keepSei(unit, 1)
  return kept.has(type) ? unit : null
}

/**
 * Returns the cleaner of an H.264 track. It keeps only the parameter sets of the configuration record `avcC`, and the
 * parts of the packets that pictures need.
 */
export function cleanH264(record: Uint8Array): Cleaner {
  const reader = new RecordReader(record)
  const head = reader.bytes(4)
  const sizeByte = reader.number(1)
  const sequences = unitsIn(reader, reader.number(1) & 0x1f, sequenceParameters)
  const pictures = unitsIn(reader, reader.number(1), pictureParameters)
  const isHigh = highProfiles.has(head[1] ?? 0) && reader.left >= 4
  const lengthSize = lengthSizeOf(sizeByte)
  const description = Uint8Array.from([
    ...head,
    0xfc | (lengthSize - 1),
    0xe0 | sequences.length,
    ...sequences.flatMap(withLength),
    pictures.length,
    ...pictures.flatMap(withLength),
    ...(isHigh ? [...reader.bytes(3), 0] : []),
  ])
  return { description, clean: (packet) => keepUnits(packet, lengthSize, keepH264Unit) }
}

const unitsIn = (reader: RecordReader, count: number, type: number): Uint8Array[] =>
  Array.from({ length: count }, () => reader.unit()).filter((unit) => typeOf(unit) === type)
