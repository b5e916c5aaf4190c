import { dropUnsent } from '../conversations/drop-unsent.ts'
import { useDeleteConversationMutation } from '../conversations/messaging-api.ts'
import { useSession } from '../../page.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { usePage } from '../../page.ts'

/** Explains the consequences and, after a confirmation, deletes the conversation for this person. */
export function DeleteDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const { location } = usePage()
  const [remove, { isLoading }] = useDeleteConversationMutation()
  const session = useSession()
  return (
    <ConfirmDialog
      title="Delete conversation"
      description={`All messages with ${name} are deleted for you, on all your devices. ${name} keeps them and is not told. The next message of either of you starts it again.`}
      action="Delete for me"
      isBusy={isLoading}
      onConfirm={async () => {
        await remove(id).unwrap()
        await dropUnsent(session, id)
        // The page is replaced, because only that removes the messages from memory.
        location.replace('/messaging')
      }}
      onClose={onClose}
    />
  )
}
