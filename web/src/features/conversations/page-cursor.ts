import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { limits } from '@sumlock/contracts/limits'
import type { ConversationList, ListEntry } from './conversation-list.ts'

/** From so many conversations on there may be further pages. */
export const hasPages = (list: readonly unknown[] | undefined): boolean =>
  (list?.length ?? 0) >= limits.pageOfConversations

/** Where the next page begins when this one is the last that was loaded; null when there is none. */
export function cursorAfter(page: readonly Conversation[]): string | null {
  const last = page.at(-1)
  return last && hasPages(page) ? `${Date.parse(last.activeAt)}_${last.id}` : null
}

/**
 * Keeps the pages after the first one when that is fetched again. If its last conversation has changed since, something may
 * be missing in between, and only the first page is kept.
 */
export function withLaterPages(
  rows: ConversationList,
  first: readonly Conversation[],
  known: ListEntry | undefined,
): ListEntry {
  const last = first.at(-1)
  const isLastKnown = known?.rows.some(({ id, activeAt }) => id === last?.id && activeAt === last.activeAt)
  if (!last || !known || !hasPages(first) || !isLastKnown) return { rows, next: cursorAfter(first) }
  const ids = new Set(rows.map(({ id }) => id))
  const later = known.rows.filter(({ id, activeAt }) => activeAt <= last.activeAt && !ids.has(id))
  return { rows: [...rows, ...later], next: known.next }
}
