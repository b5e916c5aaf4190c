import { pinMaxLength, pinMinLength } from './pin-length.ts'

/**
 * The limits of the calculator have a file of their own, because the names of other limits would reveal the product.
 */
export const pinLimits = {
  pinMinLength,
  pinMaxLength,
  silentCheckDebounceMs: 350,
} as const
