/** The limits that the calculator itself needs; apart from the others, whose names tell what the product is. */
export const pinLimits = {
  pinMinLength: 4,
  pinMaxLength: 12,
  silentCheckDebounceMs: 350,
} as const
