import { request } from '../../api/request.ts'
import { sessionSecrets } from '../lock/session-secrets.ts'

const firstDelayMs = 500
const maxDelayMs = 5000
const isPassing = (status: number) => status === 0 || status === 429 || status >= 500

/**
 * The key that encrypts unsent text: from the unlock or, after a reload, fetched again. Waits until the server answers;
 * undefined when it refuses.
 */
export async function fetchOutboxKey(): Promise<string | undefined> {
  for (
    let delayMs = firstDelayMs;
    sessionSecrets.key === undefined;
    delayMs = Math.min(2 * delayMs, maxDelayMs)
  ) {
    const answer = await request({ url: '/api/outbox-key' })
    if (!('error' in answer)) sessionSecrets.keepKey((answer.data as { outboxKey: string }).outboxKey)
    else if (!isPassing(answer.error.status)) return undefined
    else await new Promise((resolve) => window.setTimeout(resolve, delayMs))
  }
  return sessionSecrets.key
}
