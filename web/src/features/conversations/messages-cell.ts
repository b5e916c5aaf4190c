import type { Message } from '@sumlock/contracts/messaging-routes'
import { emptyConversation } from '@sumlock/sync/known-messages'
import type { ConversationState } from '@sumlock/sync/known-messages'
import { isWaiting } from '../sealed/look.ts'
import type { Session } from './open-session.ts'

const countWaiting = ({ messages }: ConversationState) => messages.filter(isWaiting).length

interface MessagesEntry {
  getCacheEntry: () => { data?: ConversationState | undefined }
  updateCachedData: (recipe: () => ConversationState) => unknown
}

/**
 * Lets the sync engine keep its state in a cache entry. Fetches keys when more messages than before wait for one, and
 * forgets the files of messages that have vanished or were taken back.
 */
export function cellOf(
  { getCacheEntry, updateCachedData }: MessagesEntry,
  { media, text }: Session,
  id: string,
) {
  const forget = (before: readonly Message[], after: readonly Message[]) => {
    if (media.own.size === 0) return
    const kept = new Set(after.map(({ mediaUrl }) => mediaUrl))
    for (const { mediaUrl } of before) if (mediaUrl && !kept.has(mediaUrl)) media.own.delete(mediaUrl)
  }
  const get = () => getCacheEntry().data ?? emptyConversation
  return {
    get,
    set(state: ConversationState) {
      const before = countWaiting(get())
      forget(get().messages, state.messages)
      updateCachedData(() => Object.freeze(state))
      if (countWaiting(state) > before) text.want(id)
    },
  }
}
