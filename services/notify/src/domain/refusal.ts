interface MailError {
  code?: unknown
  responseCode?: unknown
}

/** Whether the mail server said about this recipient or this letter: never. Everything else may be different later. */
export function isForGood(error: unknown): boolean {
  const { code, responseCode } = (error ?? {}) as MailError
  // A 5xx to our own sign-in or greeting is a matter of set-up, and somebody will mend that.
  const isAboutLetter = code === 'EENVELOPE' || code === 'EMESSAGE'
  return isAboutLetter && typeof responseCode === 'number' && responseCode >= 500
}

/** What may be kept of it: the server's words could repeat the address. */
export function reasonOf(error: unknown): string {
  const { code, responseCode } = (error ?? {}) as MailError
  const parts = [code, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number')
  return parts.join(' ') || 'unknown'
}
