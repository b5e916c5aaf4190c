import { rangeNotSatisfiable } from './errors.ts'

/** The first and the last byte both belong to the range. */
export type ByteRange = readonly [first: number, last: number]

/**
 * Parses a Range header for a file of `size` bytes. Returns null for the whole file, also when the header has another form,
 * which RFC 9110, 14.2 requires to ignore. Throws 416 for a range outside of the file and for several ranges.
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | null {
  if (header?.startsWith('bytes=') && header.includes(',')) throw rangeNotSatisfiable()
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '') {
    if (Number(last) === 0) throw rangeNotSatisfiable()
    return [Math.max(0, size - Number(last)), size - 1]
  }
  if (Number(first) >= size) throw rangeNotSatisfiable()
  if (last === '') return [Number(first), size - 1]
  if (Number(last) < Number(first)) return null
  return [Number(first), Math.min(Number(last), size - 1)]
}
