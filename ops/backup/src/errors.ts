/** Thrown when a backup is incomplete or was changed. */
export class DamagedBackupError extends Error {
  override readonly name = 'DamagedBackupError'
}

/** Thrown when a person has to change something before the command can succeed. The message says what. */
export class CommandRefusedError extends Error {
  override readonly name = 'CommandRefusedError'
}
