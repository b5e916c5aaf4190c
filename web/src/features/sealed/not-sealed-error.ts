/**
 * States why a message was not sealed, in the form of a refused call. The message then waits for the person's decision.
 */
export class NotSealedError extends Error {
  override readonly name = 'NotSealedError'
  readonly status = 409
  readonly code: 'keys_changed' | 'keys_missing'
  constructor(code: NotSealedError['code'], sentence: string) {
    super(sentence)
    this.code = code
  }
}

/** A caption is sealed with its file, so an unsealed file has no place for it. */
export const plainFile = () =>
  new NotSealedError(
    'keys_missing',
    'This file was not encrypted when it was sent, so its caption cannot be. Delete it and send it again.',
  )

export const chooseAgain = () =>
  new NotSealedError(
    'keys_missing',
    'The keys of this chat have changed. Discard this file and choose it again.',
  )
