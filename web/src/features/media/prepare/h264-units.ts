import { BrokenCodingError, RecordReader, keepUnits, lengthSizeOf, withLength } from './coded-units.ts'
import type { Cleaner } from './clean-packets.ts'
import { keepSei } from './sei-messages.ts'

const sei = 6
const sequenceParameters = 7
const pictureParameters = 8
/** Slices, whole or in partitions, and the units that they refer to. */
const kept: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, sequenceParameters, pictureParameters])
/** The configuration of these profiles describes colours, too. */
const highProfiles: ReadonlySet<number> = new Set([100, 110, 122, 144])

const typeOf = ([header = 0]: Uint8Array) => header & 0x1f

/** Keeps a unit of H.264 that a picture needs. */
export function keepH264Unit(unit: Uint8Array): Uint8Array | null {
  if ((unit[0] ?? 0) & 0x80) throw new BrokenCodingError('The first bit of a unit is not zero.')
  const type = typeOf(unit)
  if (type === sei) return keepSei(unit, 1)
  return kept.has(type) ? unit : null
}

/** Keeps only the parameter sets of an `avcC` box, and the parts of the packets that pictures need. */
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
