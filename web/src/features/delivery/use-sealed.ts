import { useEffect, useSyncExternalStore } from 'react'
import { useSession } from '../../page.ts'
import type { Trust } from '../sealed/trust.ts'

/** What becomes of a message that is sent now. */
export function useTrust(conversationId: string): Trust {
  const { text } = useSession()
  useEffect(() => {
    // Without an answer, the first send asks again.
    text.prepareTrust(conversationId).catch(() => undefined)
  }, [conversationId, text])
  return useSyncExternalStore(text.subscribe, () => text.trust(conversationId))
}
