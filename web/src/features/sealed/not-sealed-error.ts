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

export const chooseAgain = () =>
  new NotSealedError(
    'keys_missing',
    'The keys of this chat have changed. Discard this file and choose it again.',
  )
