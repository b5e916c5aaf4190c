import MessageCircle from 'lucide-react/icons/message-circle'
import { Button } from '../../shared/ui/Button.tsx'
import { CopyableCode } from '../../shared/ui/CopyableCode.tsx'
import { EmptyState } from '../../shared/ui/EmptyState.tsx'
import { useWholeUser } from '../session/use-whole-user.ts'

export interface EmptyListProps {
  onNew: () => void
}

/** Fills the list of a person who has no conversation yet. */
export function EmptyList({ onNew }: EmptyListProps) {
  return (
    <EmptyState
      icon={<MessageCircle aria-hidden size={48} strokeWidth={1.75} />}
      title="No conversations yet"
      action={<Button onClick={onNew}>Enter a code</Button>}
      note={<OwnCode />}
    >
      Tap the + button to start your first secure conversation
    </EmptyState>
  )
}

/** Shows the code that a newcomer gives to the other person. */
function OwnCode() {
  const user = useWholeUser()
  if (!user) return null
  return (
    <>
      <p className="text-sm text-ink-2">Or let the other person start it with your code</p>
      <div className="flex justify-center">
        <CopyableCode code={user.userCode} className="text-row" />
      </div>
    </>
  )
}
