import { platform } from '../features/device/platform.ts'

const answerWithinMs = 15_000

/** Fetches the CSRF tokens that this page sends with its changes. */
export function createCsrfTokens(fetch: typeof globalThis.fetch) {
  let pending: Promise<string | undefined> | undefined
  let ahead: Promise<string | undefined> | undefined

  /** Concurrent calls share one token, because the server replaces a token when it issues the next one. */
  const fetchToken = (): Promise<string | undefined> => {
    pending ??= fetch(`${platform.serverUrl()}/api/csrf-token`, {
      credentials: 'include',
      signal: AbortSignal.timeout(answerWithinMs),
    })
      .then(async (response) => ((await response.json()) as { csrfToken: string }).csrfToken)
      .catch((error: unknown) => {
        console.warn('CSRF token not fetched', error)
        return undefined
      })
      .finally(() => {
        pending = undefined
      })
    return pending
  }
  return {
    prepare: (): void => void (ahead ??= fetchToken()),
    /** Returns the token that was fetched in advance for this change, or a fresh one. */
    take: async (): Promise<string | undefined> => {
      const prepared = ahead
      ahead = undefined
      return (await prepared) ?? fetchToken()
    },
  }
}
