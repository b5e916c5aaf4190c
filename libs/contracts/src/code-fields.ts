import { z } from 'zod'
import { limits } from './limits.ts'

/**
 * Dashes, spaces and case are ignored. The schema accepts malformed codes, so that they are refused like unknown
 * ones.
 */
export const upgradeCode = z
  .string()
  .trim()
  .min(1, 'Please enter upgrade code')
  .max(limits.upgradeCodeMaxLength, `Use at most ${limits.upgradeCodeMaxLength} characters.`)
  .describe('16 Crockford characters; dashes, spaces and case are ignored.')

/** The code is turned into capitals, in which the form shows it as well. */
export const promoCode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9-]{4,32}$/, 'A promo code has 4 to 32 letters, digits and dashes.')
