import { pinMaxLength, pinMinLength } from './pin-length.ts'

/** Limits of the calculator, in a file of their own because the names of other limits reveal the product. */
export const pinLimits = {
  pinMinLength,
  pinMaxLength,
  silentCheckDebounceMs: 350,
} as const
