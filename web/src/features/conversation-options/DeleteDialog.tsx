import { page } from '../device/page.ts'
import { useDeleteConversationMutation } from '../conversations/messaging-api.ts'
import { useMessaging } from '../delivery/messaging-context.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'

/** Deletes the conversation for this person, after saying what that means. */
export function DeleteDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const [remove, { isLoading }] = useDeleteConversationMutation()
  const { drafts } = useMessaging()
  return (
    <ConfirmDialog
      title="Delete conversation"
      description={`All messages with ${name} are deleted for you, on all your devices. ${name} keeps them and is not told. The next message of either of you starts it again.`}
      action="Delete for me"
      isBusy={isLoading}
      onConfirm={async () => {
        await remove(id).unwrap()
        drafts.set(id, '')
        // A new page: the messages leave the memory of this one.
        page.replace('/messaging')
      }}
      onClose={onClose}
    />
  )
}
