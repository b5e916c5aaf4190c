/** The limits of registration have a file of their own, because the names of other limits would reveal the product. */
export const registrationLimits = {
  usernameMinLength: 3,
  usernameMaxLength: 32,
  fullNameMaxLength: 100,
  emailMaxLength: 254,
  passwordMinLength: 6,
  /** bcrypt ignores further bytes, so longer passwords are refused. */
  passwordMaxBytes: 72,
} as const
