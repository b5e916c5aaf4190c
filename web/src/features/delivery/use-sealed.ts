import { useEffect, useSyncExternalStore } from 'react'
import { useSession } from '../../page.ts'
import type { Trust } from '../sealed/trust.ts'

/** Returns whether and for which key a message would be sealed now. */
export function useTrust(conversationId: string): Trust {
  const { text } = useSession()
  useEffect(() => {
    // If this call fails, the first message that is sent repeats it.
    text.prepareTrust(conversationId).catch(() => undefined)
  }, [conversationId, text])
  return useSyncExternalStore(text.subscribe, () => text.trust(conversationId))
}
