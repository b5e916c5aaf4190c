import fc from 'fast-check'
import { keepAv1Units } from './av1-units.ts'
import { BrokenCodingError, keepUnits, unitsOf } from './coded-units.ts'
import type { LengthSize } from './coded-units.ts'
import { cleanH264, keepH264Unit } from './h264-units.ts'
import { cleanHevc, keepHevcUnit } from './hevc-units.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)
const textOf = (value: string) => [...new TextEncoder().encode(value)]
const mark = textOf('MARK 52.52 N')
const hasMark = (data: Uint8Array) => new TextDecoder('latin1').decode(data).includes('MARK')

/** Builds a packet of units, each behind its length. */
function packetOf(units: readonly (readonly number[])[], lengthSize: LengthSize = 4): Uint8Array {
  const lengthOf = ({ length }: readonly number[]) =>
    Array.from({ length: lengthSize }, (_, index) => (length >>> (8 * (lengthSize - 1 - index))) & 255)
  return Uint8Array.from(units.flatMap((unit) => [...lengthOf(unit), ...unit]))
}
const message = (type: number, payload: readonly number[]) => [type, payload.length, ...payload]
const userData = message(5, [...Array.from({ length: 16 }, () => 65), ...mark])
const registered = message(4, [0xb5, ...mark])
const recovery = message(6, [0x88])
const mastering = message(
  137,
  Array.from({ length: 24 }, (_, index) => (index % 3 === 2 ? 1 : 0)),
)
const brightness = message(144, [3, 232, 1, 144])

describe('H.264', () => {
  const slice = [0x65, 1, 2, 3]
  const other = [0x41, 9, 8]

  it.each<LengthSize>([1, 2, 4])('slices cross byte for byte behind lengths of %i bytes', (lengthSize) => {
    const clean = packetOf([[0x67, 1], [0x68, 2], slice, other], lengthSize)
    expect(keepUnits(clean, lengthSize, keepH264Unit)).toBe(clean)
    const given = packetOf([[0x06, ...userData, 0x80], slice, [0x0c, ...mark], other], lengthSize)
    expect(keepUnits(given, lengthSize, keepH264Unit)).toEqual(packetOf([slice, other], lengthSize))
  })

  it('only the messages of recovery and colour are copied, once', () => {
    const unit = [
      0x06,
      ...userData,
      ...recovery,
      ...registered,
      ...mastering,
      ...brightness,
      ...recovery,
      0x80,
    ]
    const kept = keepH264Unit(bytes(...unit)) ?? bytes()
    // Two zeros followed by a small number must not occur inside a unit.
    const escaped = mastering.slice(2).flatMap((byte, index) => (index % 3 === 2 ? [3, byte] : [byte]))
    expect([...kept]).toEqual([0x06, ...recovery, 137, 24, ...escaped, ...brightness, 0x80])
    // Escaped bytes are read unescaped.
    expect(keepH264Unit(kept)).toEqual(kept)
    expect(keepH264Unit(bytes(0x06, ...message(144, [...brightness, ...mark]), 0x80))).toBeNull()
    expect(keepH264Unit(bytes(0x06, ...recovery, 5, 200, ...mark, 0x80))).toBeNull()
  })

  it('a configuration keeps its sets of parameters and nothing behind them', () => {
    const [sps, pps] = [
      [0x67, 100, 0, 31],
      [0x68, 1],
    ]
    const head = [1, 100, 0, 31, 0xff]
    const sets = [0xe1, 0, sps.length, ...sps, 1, 0, pps.length, ...pps]
    const { description, clean } = cleanH264(
      bytes(...head, ...sets, 0xfd, 0xf8, 0xf8, 1, 0, mark.length, ...mark),
    )
    expect([...(description ?? [])]).toEqual([...head, ...sets, 0xfd, 0xf8, 0xf8, 0])
    expect([...(cleanH264(bytes(...head, ...sets)).description ?? [])]).toEqual([...head, ...sets])
    expect(clean(packetOf([slice]))).toEqual(packetOf([slice]))
    const hidden = [0x06, ...userData, 0x80]
    const withHidden = cleanH264(bytes(...head, 0xe2, 0, hidden.length, ...hidden, ...sets.slice(1), ...mark))
    expect(hasMark(withHidden.description ?? bytes())).toBe(false)
  })

  it.each([
    ['a unit longer than its packet', () => keepUnits(bytes(0, 0, 0, 9, 0x65), 4, keepH264Unit)],
    ['a length cut off', () => keepUnits(bytes(0, 0), 4, keepH264Unit)],
    ['a header that none has', () => keepUnits(packetOf([[0xe5, 1]]), 4, keepH264Unit)],
    ['lengths of three bytes', () => cleanH264(bytes(1, 100, 0, 31, 0xfe, 0xe0, 0))],
    ['a configuration that ends early', () => cleanH264(bytes(1, 100, 0, 31, 0xff, 0xe1, 0, 99, 0x67))],
  ])('%s is refused', (_what, read) => {
    expect(read).toThrow(BrokenCodingError)
  })
})

describe('HEVC', () => {
  const unit = (type: number, content: readonly number[], layer = 0) => [
    (type << 1) | (layer >> 5),
    ((layer & 31) << 3) | 1,
    ...content,
  ]
  const slices = [unit(19, [1, 2]), unit(1, [3, 4]), unit(21, [5])]

  it('a layer of any number but zero stays here, and what has no whole header is broken', () => {
    for (const layer of [1, 31, 32, 63]) expect(keepHevcUnit(bytes(...unit(19, [1], layer)))).toBeNull()
    expect(() => keepHevcUnit(bytes(0x02))).toThrow(BrokenCodingError)
    expect(() => keepHevcUnit(bytes(0x82, 1, 1))).toThrow(BrokenCodingError)
  })

  it('a configuration keeps sets under their own type only, without its reserved bit', () => {
    const record = (type: number, set: readonly number[]) =>
      bytes(...Array.from({ length: 21 }, () => 1), 3, 1, type, 0, 1, 0, set.length, ...set)
    const { description } = cleanHevc(record(0x40 | 33, unit(33, [7])))
    expect([...(description ?? [])].slice(22)).toEqual([1, 33, 0, 1, 0, 3, ...unit(33, [7])])
    expect([...(cleanHevc(record(34, unit(32, [7]))).description ?? [])].slice(22)).toEqual([0])
  })

  it('slices cross, and messages of cameras, other layers and what has no meaning do not', () => {
    const given = packetOf([
      unit(39, [...userData, 0x80]),
      ...slices,
      unit(40, [...userData, 0x80]),
      unit(62, mark),
      unit(38, mark),
      unit(35, mark),
      unit(19, mark, 1),
      unit(36, mark),
    ])
    expect(keepUnits(given, 4, keepHevcUnit)).toEqual(packetOf(slices))
    const end = packetOf([...slices, unit(36, [])])
    expect(keepUnits(end, 4, keepHevcUnit)).toBe(end)
  })

  it('a configuration keeps sets of parameters and colours', () => {
    const head = [1, ...Array.from({ length: 20 }, () => 7), 0xff]
    const array = (type: number, units: number[][]) => [
      0x80 | type,
      0,
      units.length,
      ...units.flatMap((each) => [0, each.length, ...each]),
    ]
    const sets = [32, 33, 34].flatMap((type) => array(type, [unit(type, [1])]))
    const colors = unit(39, [...brightness, ...userData, 0x80])
    const { description } = cleanHevc(
      bytes(
        ...head,
        6,
        ...sets,
        ...array(39, [colors]),
        ...array(40, [unit(40, mark)]),
        ...array(33, [unit(39, mark)]),
        ...mark,
      ),
    )
    expect([...(description ?? [])]).toEqual([
      ...head,
      4,
      ...sets,
      ...array(39, [unit(39, [...brightness, 0x80])]),
    ])
  })
})

describe('AV1', () => {
  const unit = (type: number, content: readonly number[]) => [(type << 3) | 2, content.length, ...content]
  const needed = [...unit(1, [10, 11]), ...unit(6, [1, 2, 3])]

  it('frames cross, and metadata of cameras and padding do not', () => {
    const clean = bytes(...needed)
    expect(keepAv1Units(clean)).toBe(clean)
    const given = [
      ...unit(2, []),
      ...unit(5, [4, 0xb5, ...mark, 0x80]),
      ...unit(15, mark),
      ...needed,
      ...unit(9, mark),
      ...unit(5, [1, 0, 1, 0, 1, 0x80]),
      ...unit(5, [1, 0, 1, 0, 1, ...mark, 0x80]),
      ...unit(5, [1, 0, 1, 0, 1, 77]),
    ]
    expect([...keepAv1Units(bytes(...given))]).toEqual([...needed, ...unit(5, [1, 0, 1, 0, 1, 0x80])])
    // The last unit may omit its length.
    expect([...keepAv1Units(bytes(...unit(15, mark), 6 << 3, 1, 2, 3))]).toEqual([6 << 3, 1, 2, 3])
  })

  it.each([
    ['a unit longer than its packet', [(6 << 3) | 2, 9, 1]],
    ['a length that does not end', [(6 << 3) | 2, 0xff, 0xff]],
    ['a length beyond all numbers', [(6 << 3) | 2, ...Array.from({ length: 9 }, () => 0xff), 1]],
    ['a header that none has', [0x80 | (6 << 3), 1]],
  ])('%s is refused', (_what, given) => {
    expect(() => keepAv1Units(bytes(...given))).toThrow(BrokenCodingError)
  })
})

describe('any bytes at all', () => {
  const orBroken = <T>(read: () => T): T | undefined => {
    try {
      return read()
    } catch (error) {
      expect(error).toBeInstanceOf(BrokenCodingError)
      return undefined
    }
  }

  it('are cleaned or refused, and what is cleaned stays as it is when it is cleaned again', () => {
    const keep = (data: Uint8Array, size: LengthSize) =>
      [
        (packet: Uint8Array) => keepUnits(packet, size, keepH264Unit),
        (packet: Uint8Array) => keepUnits(packet, size, keepHevcUnit),
        keepAv1Units,
      ].map((clean) => {
        const once = orBroken(() => clean(data))
        return once && [once, clean(once)]
      })
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom<LengthSize>(1, 2, 4), (data, size) => {
        for (const pair of keep(data, size)) if (pair) expect(pair[1]).toEqual(pair[0])
      }),
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (record) => {
        orBroken(() => cleanH264(record))
        orBroken(() => cleanHevc(record))
      }),
    )
  })

  it('units of no allowed type never cross, and slices always do', () => {
    const unit = fc.uint8Array({ minLength: 3, maxLength: 40 }).map((data) => {
      data[0] = (data[0] ?? 0) & 0x7f
      data[1] = ((data[1] ?? 0) & 7) | 1
      return data
    })
    const h264 = new Set([1, 2, 3, 4, 5, 6, 7, 8])
    const isHevc = (type: number) =>
      type <= 9 || (type >= 16 && type <= 21) || [32, 33, 34, 39].includes(type)
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 8 }), (units) => {
        const packet = packetOf(units.map((each) => [...each]))
        const typeOf = ([header = 0]: Uint8Array) => header & 31
        const kept = [...unitsOf(keepUnits(packet, 4, keepH264Unit), 4)]
        expect(kept.filter((each) => !h264.has(typeOf(each)))).toEqual([])
        const isSlice = (each: Uint8Array) => typeOf(each) >= 1 && typeOf(each) <= 5
        expect(kept.filter(isSlice)).toEqual(units.filter(isSlice))
        const hevcType = ([header = 0]: Uint8Array) => header >> 1
        const even = units.filter(([header = 0]) => (header & 1) === 0)
        const evenPacket = packetOf(even.map((each) => [...each]))
        const keptHevc = [...unitsOf(keepUnits(evenPacket, 4, keepHevcUnit), 4)]
        expect(keptHevc.filter((each) => !isHevc(hevcType(each)))).toEqual([])
        const isHevcSlice = (each: Uint8Array) => isHevc(hevcType(each)) && hevcType(each) < 32
        expect(keptHevc.filter(isHevcSlice)).toEqual(even.filter(isHevcSlice))
      }),
    )
  })
})
