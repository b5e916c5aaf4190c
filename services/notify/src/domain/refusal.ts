interface SendError {
  code?: unknown
  responseCode?: unknown
}

/**
 * Thrown when the SMS provider refuses a request or gives no usable answer. `responseCode` is the provider's error code, or
 * the HTTP status if there is none.
 */
export class SmsError extends Error {
  override readonly name = 'SmsError'
  readonly code: string
  readonly responseCode: number | undefined
  constructor(code: string, responseCode?: number) {
    super('The SMS provider has not accepted the SMS.')
    this.code = code
    this.responseCode = responseCode
  }
}

/**
 * Twilio returns these codes when no retry can reach the number: it is invalid, has unsubscribed, has no route or is no
 * mobile number.
 */
const unreachable: ReadonlySet<unknown> = new Set([21211, 21217, 21610, 21612, 21614])

/** Returns whether the recipient or the content was refused permanently. After any other error, the notice is sent again. */
export function isPermanentFailure(error: unknown): boolean {
  const { code, responseCode } = (error ?? {}) as SendError
  if (code === 'ESMS') return unreachable.has(responseCode)
  // A 5xx at the greeting or the login comes from a wrong configuration, so the notice can be sent once that is corrected.
  const isAboutLetter = code === 'EENVELOPE' || code === 'EMESSAGE'
  return isAboutLetter && typeof responseCode === 'number' && responseCode >= 500
}

/** Returns only the codes of the error, because its text could contain the recipient's address and may not be stored. */
export function reasonOf(error: unknown): string {
  const { code, responseCode } = (error ?? {}) as SendError
  const parts = [code, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number')
  return parts.join(' ') || 'unknown'
}
