import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { limits } from '@sumlock/contracts/limits'
import type { ConversationList, ListEntry } from './conversation-list.ts'

/** A list of at least this many conversations may have further pages. */
export const hasPages = (list: readonly unknown[] | undefined): boolean =>
  (list?.length ?? 0) >= limits.pageOfConversations

/** Returns the cursor after the last loaded page; null if there is no further page. */
export function cursorAfter(page: readonly Conversation[]): string | null {
  const last = page.at(-1)
  return last && hasPages(page) ? `${Date.parse(last.activeAt)}_${last.id}` : null
}

/**
 * Keeps the later pages when the first one is fetched again. If the last conversation of the first page has changed,
 * conversations may be missing in between, and only the first page is kept.
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
