/** The reason why a message was not sealed, in the shape of a refused call. The message waits for the person. */
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
