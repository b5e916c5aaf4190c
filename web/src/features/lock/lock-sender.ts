import type { ApiAnswer } from '../../api/client.ts'

/** Sends one lock at a time. A lock that is requested during an attempt is sent after it. */
export function createLockSender(send: () => Promise<ApiAnswer>, onAnswer: (isConfirmed: boolean) => void) {
  let sending: Promise<boolean> | undefined
  let mustSendAgain = false

  const attempt = async (): Promise<boolean> => {
    let answer: ApiAnswer
    do {
      mustSendAgain = false
      answer = await send()
      // A 403 means that the CSRF token was outdated. Each call fetches a new token.
      if ('error' in answer && answer.error.status === 403) answer = await send()
    } while (mustSendAgain)
    return !('error' in answer) || answer.error.status === 401
  }
  return {
    running: (): Promise<boolean> | undefined => sending,
    /** Resolves to true when the server has confirmed the lock. */
    post: (): Promise<boolean> => {
      if (sending) mustSendAgain = true
      sending ??= attempt().then((isConfirmed) => {
        sending = undefined
        onAnswer(isConfirmed)
        return isConfirmed
      })
      return sending
    },
  }
}
