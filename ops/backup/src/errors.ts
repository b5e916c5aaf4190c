/** The backup is incomplete or was changed. */
export class DamagedBackupError extends Error {
  override readonly name = 'DamagedBackupError'
}

/** The command cannot go on until a person changes something; the message says what. */
export class CommandRefusedError extends Error {
  override readonly name = 'CommandRefusedError'
}
