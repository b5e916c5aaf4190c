import { askUntilAnswered } from '../../api/ask-until-answered.ts'
import { sessionSecrets } from '../lock/session-secrets.ts'

/**
 * The key that encrypts unsent text: from the unlock or, after a reload, fetched again. Waits until the server answers;
 * undefined when it refuses.
 */
export async function fetchOutboxKey(): Promise<string | undefined> {
  if (sessionSecrets.key !== undefined) return sessionSecrets.key
  const answer = await askUntilAnswered({ url: '/api/outbox-key' })
  if (!('error' in answer)) sessionSecrets.keepKey((answer.data as { outboxKey: string }).outboxKey)
  return sessionSecrets.key
}
