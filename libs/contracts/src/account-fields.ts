import { z } from 'zod'
import { visibleCharacter } from './has-text.ts'
import { registrationLimits as limits } from './registration-limits.ts'
import { storableText } from './storable-text.ts'

// Forms that are shown before the sign-in load these rules. They have a file of their own, because the rules of other
// fields would reveal the product.

export const username = storableText()
  .trim()
  .min(1, 'Enter a username.')
  .min(limits.usernameMinLength, `Use at least ${limits.usernameMinLength} characters.`)
  .max(limits.usernameMaxLength, `Use at most ${limits.usernameMaxLength} characters.`)
  // Unicode counts the four filler characters as letters, but they show nothing.
  .regex(
    /^(?:(?![\u115f\u1160\u3164\uffa0])[\p{L}\p{N}_.-])+$/u,
    'Use letters, digits, dots, dashes or underscores.',
  )

export const fullName = storableText()
  .trim()
  .min(1, 'Enter your full name.')
  .max(limits.fullNameMaxLength, `Use at most ${limits.fullNameMaxLength} characters.`)
  .regex(visibleCharacter, 'Enter your full name.')
export const email = z
  .email('Enter a valid e-mail address.')
  .max(limits.emailMaxLength, 'Enter a valid e-mail address.')
  // RFC 5321 limits the part before the @ to 64 characters.
  .regex(/^[^@]{1,64}@/, 'Enter a valid e-mail address.')
export const phone = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, 'Enter the number with its country code, like +15550001234.')

export const password = storableText()
  .min(limits.passwordMinLength, `Password must be at least ${limits.passwordMinLength} characters long`)
  .max(limits.passwordMaxBytes, 'Password is too long.')
  .refine((value) => utf8Length(value) <= limits.passwordMaxBytes, 'Password is too long.')
  .describe(`At most ${limits.passwordMaxBytes} bytes of UTF-8.`)

function utf8Length(value: string): number {
  return new TextEncoder().encode(value).length
}
