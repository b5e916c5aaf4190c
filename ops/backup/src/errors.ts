/** A backup that cannot be trusted: nothing was touched because of it. */
export class DamagedBackupError extends Error {
  override readonly name = 'DamagedBackupError'
}

/** Something a person has to decide or change first; the message says what. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
}
