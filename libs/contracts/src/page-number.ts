import { z } from 'zod'

const digits = /^\d{1,10}$/

/**
 * Returns a schema of a number in a query, which accepts decimal digits only. `Number('')` is 0 and `Number('0x10')`
 * is 16, which would silently return another page.
 */
export const pageNumber = (from: number, to: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && digits.test(value) ? Number(value) : value),
    z.number('Use digits only.').int().min(from).max(to),
  )
