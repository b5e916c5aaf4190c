import { rarePart } from '../../shared/lib/rare-part.tsx'
import type { MorePagesProps } from './MorePages.tsx'

export const MissingConversation = rarePart<{ id: string }>(
  async () => (await import('./MissingConversation.tsx')).MissingConversation,
)
export const MorePages = rarePart<MorePagesProps>(async () => (await import('./MorePages.tsx')).MorePages)
