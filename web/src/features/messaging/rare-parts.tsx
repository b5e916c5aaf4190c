import { useEffect } from 'react'
import { rarePart } from '../../shared/lib/rare-part.tsx'
import type { EmptyListProps } from './EmptyList.tsx'
import type { MorePagesProps } from './MorePages.tsx'
import type { NewConversationDialogProps } from './NewConversationDialog.tsx'
import type { ListedResetProps } from '../settings/PendingResetNotice.tsx'

export const MissingConversation = rarePart<{ id: string }>(
  async () => (await import('./MissingConversation.tsx')).MissingConversation,
)
export const EmptyList = rarePart<EmptyListProps>(async () => (await import('./EmptyList.tsx')).EmptyList)
export const MorePages = rarePart<MorePagesProps>(async () => (await import('./MorePages.tsx')).MorePages)
export const NothingOpen = rarePart<object>(async () => (await import('./NothingOpen.tsx')).NothingOpen)
export const WrongEntriesNotice = rarePart<object>(
  async () => (await import('../settings/WrongEntriesNotice.tsx')).WrongEntriesNotice,
)
export const ListedReset = rarePart<ListedResetProps>(
  async () => (await import('../settings/PendingResetNotice.tsx')).ListedReset,
)

const loadNewConversation = () => import('./NewConversationDialog.tsx')
export const NewConversationDialog = rarePart<NewConversationDialogProps>(
  async () => (await loadNewConversation()).NewConversationDialog,
)

/** Loads the dialog once the list is painted, so that it opens at once and also without a network. */
export function useLoadedNewConversation(): void {
  useEffect(() => {
    // Opening it tries again.
    loadNewConversation().catch(() => undefined)
  }, [])
}
