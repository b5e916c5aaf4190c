import { useEffect, useSyncExternalStore } from 'react'
import { useSession } from '../../page.ts'
import type { Trust } from '../sealed/trust.ts'

/** Returns how a message would be sent now. */
export function useTrust(conversationId: string): Trust {
  const { text } = useSession()
  useEffect(() => {
    // If this gets no answer, the first send tries again.
    text.prepareTrust(conversationId).catch(() => undefined)
  }, [conversationId, text])
  return useSyncExternalStore(text.subscribe, () => text.trust(conversationId))
}
