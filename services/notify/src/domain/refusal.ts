interface SendError {
  code?: unknown
  responseCode?: unknown
}

/** An SMS that was refused, or whose request got no answer. `responseCode` is the provider's, else the HTTP status. */
export class SmsError extends Error {
  override readonly name = 'SmsError'
  readonly code: string
  readonly responseCode: number | undefined
  constructor(code: string, responseCode?: number) {
    super('The SMS was not accepted.')
    this.code = code
    this.responseCode = responseCode
  }
}

/** Twilio's codes for a receiver that no repeat can reach: not a number, unsubscribed, no route, no mobile. */
const unreachable: ReadonlySet<unknown> = new Set([21211, 21217, 21610, 21612, 21614])

/** Whether the receiver or the letter was refused permanently; any other error is worth a retry. */
export function isPermanentFailure(error: unknown): boolean {
  const { code, responseCode } = (error ?? {}) as SendError
  if (code === 'ESMS') return unreachable.has(responseCode)
  // A 5xx to our sign-in or greeting is a fault of the configuration, which can be corrected.
  const isAboutLetter = code === 'EENVELOPE' || code === 'EMESSAGE'
  return isAboutLetter && typeof responseCode === 'number' && responseCode >= 500
}

/** The part of the error that may be stored: the server's text could repeat the address. */
export function reasonOf(error: unknown): string {
  const { code, responseCode } = (error ?? {}) as SendError
  const parts = [code, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number')
  return parts.join(' ') || 'unknown'
}
