import { z } from 'zod'
import { decimalDigits } from './decimal-digits.ts'
import { visibleCharacter } from './has-text.ts'
import { limits } from './limits.ts'
import { storableText } from './storable-text.ts'

const atMost = (length: number) => `Use at most ${length} characters.`

export const id = z.uuid().meta({ id: 'Id' })
export const timestamp = z.iso.datetime().meta({ id: 'Timestamp', description: 'ISO 8601, UTC.' })
export const seq = z
  .number()
  .int()
  .min(1)
  .meta({ id: 'Seq', description: 'Position in its conversation: 1, 2, 3 … without gaps.' })

export const numericPassword = z
  .string()
  .regex(/^\d+$/, 'Password must contain only numbers')
  .min(limits.pinMinLength, `Use at least ${limits.pinMinLength} digits.`)
  .max(limits.pinMaxLength, `Use at most ${limits.pinMaxLength} digits.`)

/** A user code has eight Crockford characters and a check character. Dashes, spaces and case are ignored. */
export const userCode = z
  .string()
  .max(64, 'Use at most 64 characters.')
  .regex(/[^\s-]/, 'Enter a user code.')
  .transform((value) => decimalDigits(value).replace(/[\s-]/g, '').toUpperCase())

/** The limit is that of sealed content. Routes limit plain text to `limits.messageMaxLength`. */
export const messageContent = storableText()
  .trim()
  .min(1, 'Write something first.')
  .max(limits.sealedMaxLength)
  .regex(visibleCharacter, 'Write something first.')

export const searchText = storableText().max(64)

export const fileName = storableText().max(1024)

export const note = storableText().trim().max(limits.reportNoteMaxLength, atMost(limits.reportNoteMaxLength))

/** The text of a message comes from the person who reports it, and cannot be checked. */
export const reportedText = storableText().min(1).max(limits.messageMaxLength)

export const giftMessage = storableText()
  .trim()
  .max(limits.giftMessageMaxLength, atMost(limits.giftMessageMaxLength))

export const vanishMs = z
  .literal(limits.vanishTimesMs)
  .describe('Milliseconds; a file needs at least five minutes.')
export type VanishMs = z.infer<typeof vanishMs>

export const messageType = z.enum(['text', 'image', 'video', 'voice'])
