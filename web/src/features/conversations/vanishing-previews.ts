import { nextEndMs, withoutDue } from '@sumlock/sync/vanishing'
import type { ConversationList, ListChange, ListedConversation } from './conversation-list.ts'

/** Returns the preview with the time of its message, which only the row has. */
const timed = ({ lastMessage, lastMessageAt }: ListedConversation) =>
  lastMessage && lastMessageAt ? [{ ...lastMessage, createdAt: lastMessageAt }] : []

/** Empties the previews whose messages vanish up to now (ms by the server's clock). */
export const previewsVanished =
  (userId: string, nowMs: number): ListChange =>
  (list) => {
    const isDue = (row: ListedConversation) => nextEndMs(timed(row), userId) <= nowMs
    if (!list.some(isDue)) return { list, isCertain: true }
    const changed = list.map((row) => {
      const [lastMessage] = isDue(row) ? withoutDue(timed(row), userId, nowMs) : []
      return lastMessage ? { ...row, lastMessage } : row
    })
    return { list: changed, isCertain: true }
  }

/** Returns when the next preview vanishes (ms by the server's clock). */
export const nextPreviewEndMs = (list: ConversationList, userId: string): number =>
  nextEndMs(list.flatMap(timed), userId)
