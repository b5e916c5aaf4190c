import { rangeNotSatisfiable } from './errors.ts'

/** First and last byte. */
export type ByteRange = readonly [first: number, last: number]

/**
 * The range of a Range header in a file of `size` bytes; null for the whole file (RFC 9110, 14.2: a header in another form is
 * ignored). Throws 416 for a range beyond the end, and for several ranges.
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
