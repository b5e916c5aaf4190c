import { z } from 'zod'

const unstorable = 'Contains characters that cannot be stored.'
// A pattern is used instead of a refinement, so that the API documents contain it.
// eslint-disable-next-line no-control-regex
export const withoutNul = /^[^\u0000]*$/
/** Returns a schema of text without NUL and without half surrogate pairs, which a database or UTF-8 could not hold. */
export const storableText = () =>
  z
    .string()
    .regex(withoutNul, unstorable)
    .refine((value) => value.isWellFormed(), unstorable)
