import { useEffect, useSyncExternalStore } from 'react'
import { useSession } from '../../page.ts'
import type { Look, Sealable } from '../sealed/look.ts'
import type { Trust } from '../sealed/trust.ts'

const nothing: Look = { state: 'plain' }

/** What can be shown of a message. */
export function useLook(conversationId: string, message: Sealable | null): Look {
  const { text } = useSession()
  return useSyncExternalStore(text.subscribe, () => (message ? text.look(conversationId, message) : nothing))
}

/** Changes whenever a message was opened or a key has changed. */
export function useSealedVersion(): number {
  const { text } = useSession()
  return useSyncExternalStore(text.subscribe, text.version)
}

/** What becomes of a message that is sent now. */
export function useTrust(conversationId: string): Trust {
  const { text } = useSession()
  useEffect(() => {
    // Without an answer, the first send asks again.
    text.prepareTrust(conversationId).catch(() => undefined)
  }, [conversationId, text])
  return useSyncExternalStore(text.subscribe, () => text.trust(conversationId))
}
