/** Limits of the calculator, in a file of their own because the names of other limits reveal the product. */
export const pinLimits = {
  pinMinLength: 4,
  pinMaxLength: 12,
  silentCheckDebounceMs: 350,
} as const
