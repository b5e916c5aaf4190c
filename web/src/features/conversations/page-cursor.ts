import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { limits } from '@sumlock/contracts/limits'
import type { ConversationList } from './conversation-list.ts'

/** From so many conversations on there may be further pages. */
export const hasPages = (list: readonly unknown[] | undefined): boolean =>
  (list?.length ?? 0) >= limits.pageOfConversations

/** Where the loaded pages of the list end. */
export function createPageCursor() {
  let next: string | undefined
  const cursor = {
    isLoading: false,
    /** Undefined when there is no further page. */
    next: (): string | undefined => next,
    /** Notes that the loaded pages end with this one. */
    endWith: (page: readonly Conversation[]): void => {
      const last = page.at(-1)
      next =
        last && page.length >= limits.pageOfConversations
          ? `${Date.parse(last.activeAt)}_${last.id}`
          : undefined
    },
    /**
     * Keeps the pages after the first one when that is fetched again. If its last conversation has changed since, something may
     * be missing in between, and only the first page is kept.
     */
    withLaterPages: (
      list: ConversationList,
      first: readonly Conversation[],
      known: ConversationList = [],
    ): ConversationList => {
      const last = first.at(-1)
      if (
        !last ||
        !hasPages(first) ||
        !known.some(({ id, activeAt }) => id === last.id && activeAt === last.activeAt)
      ) {
        cursor.endWith(first)
        return list
      }
      const ids = new Set(list.map(({ id }) => id))
      return [...list, ...known.filter(({ id, activeAt }) => activeAt <= last.activeAt && !ids.has(id))]
    },
  }
  return cursor
}
