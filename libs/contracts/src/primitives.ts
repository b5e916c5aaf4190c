import { z } from 'zod'
import { limits } from './limits.ts'

const unstorable = 'Contains characters that cannot be stored.'
// A pattern instead of a refinement, so that the API documents contain it.
// eslint-disable-next-line no-control-regex
export const withoutNul = /^[^\u0000]*$/
const text = () =>
  z
    .string()
    .regex(withoutNul, unstorable)
    .refine((value) => value.isWellFormed(), unstorable)

export const id = z.uuid().meta({ id: 'Id' })
export const timestamp = z.iso.datetime().meta({ id: 'Timestamp', description: 'ISO 8601, UTC.' })
export const seq = z
  .number()
  .int()
  .min(1)
  .meta({ id: 'Seq', description: 'Position in its conversation: 1, 2, 3 … without gaps.' })

export const username = text()
  .trim()
  .min(limits.usernameMinLength, `Use at least ${limits.usernameMinLength} characters.`)
  .max(limits.usernameMaxLength, `Use at most ${limits.usernameMaxLength} characters.`)
  .regex(/^[\p{L}\p{N}_.-]+$/u, 'Use letters, digits, dots, dashes or underscores.')

export const fullName = text()
  .trim()
  .min(1, 'Enter your full name.')
  .max(limits.fullNameMaxLength)
  .regex(/\S/, 'Enter your full name.')
export const email = z
  .email('Enter a valid e-mail address.')
  .max(limits.emailMaxLength)
  // RFC 5321 limits the part before the @ to 64 characters.
  .regex(/^[^@]{1,64}@/, 'Enter a valid e-mail address.')
export const phone = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, 'Enter the number with its country code, like +15550001234.')

export const password = text()
  .min(limits.passwordMinLength, `Password must be at least ${limits.passwordMinLength} characters long`)
  .max(limits.passwordMaxBytes, 'Password is too long.')
  .refine((value) => utf8Length(value) <= limits.passwordMaxBytes, 'Password is too long.')
  .describe(`At most ${limits.passwordMaxBytes} bytes of UTF-8.`)

export const numericPassword = z
  .string()
  .regex(/^\d+$/, 'Password must contain only numbers')
  .min(limits.pinMinLength, `Use at least ${limits.pinMinLength} digits.`)
  .max(limits.pinMaxLength, `Use at most ${limits.pinMaxLength} digits.`)

/** Eight Crockford characters and a check character; dashes, spaces and case are ignored. */
export const userCode = z
  .string()
  .max(64)
  .regex(/[^\s-]/, 'Enter a user code.')
  .transform((value) => value.replace(/[\s-]/g, '').toUpperCase())

/** Routes limit plain text to `limits.messageMaxLength`. */
export const messageContent = text()
  .trim()
  .min(1, 'Write something first.')
  .max(limits.sealedMaxLength)
  .regex(/\S/, 'Write something first.')

export const searchText = text().max(64)

/** As a browser names a file, or something of the kind. */
export const fileName = text().max(1024)

/** An optional remark. */
export const note = text().trim().max(limits.reportNoteMaxLength)

/** What a message says according to the person who reports it. */
export const reportedText = text().min(1).max(limits.messageMaxLength)

export const giftMessage = text().trim().max(limits.giftMessageMaxLength)

export const messageType = z.enum(['text', 'image', 'video', 'voice'])

function utf8Length(value: string): number {
  return new TextEncoder().encode(value).length
}
