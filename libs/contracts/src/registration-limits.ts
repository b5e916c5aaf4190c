/** The limits that signing up needs; apart from those whose names tell what the product is. */
export const registrationLimits = {
  usernameMinLength: 3,
  usernameMaxLength: 32,
  fullNameMaxLength: 100,
  emailMaxLength: 254,
  passwordMinLength: 6,
  /** bcrypt reads no more than this many bytes, so a longer password is refused instead of cut. */
  passwordMaxBytes: 72,
} as const
