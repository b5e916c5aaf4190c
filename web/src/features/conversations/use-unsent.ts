import type { OutboxItem } from '@sumlock/sync/ports'
import { useSyncExternalStore } from 'react'
import { useSession } from '../../page.ts'

/** Text of a conversation that the server has not stored. */
export interface Unsent {
  /** Empty when there is none. */
  draft: string
  /** The newest message that failed, else the newest that is waiting or being sent. */
  item: OutboxItem | null
}

export function useUnsent(conversationId: string): Unsent {
  const { drafts, outbox } = useSession()
  const draft = useSyncExternalStore(drafts.subscribe, () => drafts.get(conversationId))
  const item = useSyncExternalStore(outbox.subscribe, () => newest(outbox.items, conversationId))
  return { draft, item }
}

function newest(items: readonly OutboxItem[], conversationId: string): OutboxItem | null {
  const own = items.filter(({ message }) => message.conversationId === conversationId)
  return own.findLast(({ status }) => status === 'failed') ?? own.at(-1) ?? null
}
