import type { OutboxItem } from '@sumlock/sync/ports'
import { useSyncExternalStore } from 'react'
import { useSession } from '../../page.ts'

/** Describes the text of a conversation that the server has not stored yet. */
export interface Unsent {
  /** Empty if there is no draft. */
  draft: string
  /** This is the newest failed message or, without one, the newest that is waiting or being sent. */
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
