import MessageCircle from 'lucide-react/icons/message-circle'
import { EmptyState } from '../../shared/ui/EmptyState.tsx'

/** Fills the place of the chat next to the list in a wide window. */
export function NothingOpen() {
  return (
    <div className="flex h-full">
      <EmptyState
        icon={<MessageCircle aria-hidden size={48} strokeWidth={1.75} />}
        title="Choose a conversation"
      >
        Messages appear here.
      </EmptyState>
    </div>
  )
}
