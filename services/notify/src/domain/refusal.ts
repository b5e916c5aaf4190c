interface MailError {
  code?: unknown
  responseCode?: unknown
}

/** Whether the mail server refused the recipient or the letter permanently; any other error is worth a retry. */
export function isPermanentFailure(error: unknown): boolean {
  const { code, responseCode } = (error ?? {}) as MailError
  // A 5xx to our sign-in or greeting is a fault of the configuration, which can be corrected.
  const isAboutLetter = code === 'EENVELOPE' || code === 'EMESSAGE'
  return isAboutLetter && typeof responseCode === 'number' && responseCode >= 500
}

/** The part of the error that may be stored: the server's text could repeat the address. */
export function reasonOf(error: unknown): string {
  const { code, responseCode } = (error ?? {}) as MailError
  const parts = [code, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number')
  return parts.join(' ') || 'unknown'
}
