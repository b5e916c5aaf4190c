import { systemClock } from '@sumlock/sync/system-clock'
import { within } from '@sumlock/sync/within'
import { useDeleteConversationMutation } from '../conversations/messaging-api.ts'
import { useSession } from '../../page.ts'
import type { FileStub } from '../media/lost-files.ts'
import type { Media } from '../media/media.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { usePage } from '../../page.ts'

/** The storage of the device may hang. */
const writtenWithinMs = 2000

/** Ends the uploads into a conversation, and forgets its files that are to be chosen again. */
function dropFiles(id: string, { uploads, unsent }: Media): Promise<unknown> {
  for (const { conversationId, cancel } of uploads.get()) if (conversationId === id) cancel()
  const isOther = (file: FileStub) => file.conversationId !== id
  return unsent.update((text) => ({ ...text, files: (text.files ?? []).filter(isOther) }), `files ${id}`)
}

/** Explains the consequences and, after a confirmation, deletes the conversation for this person. */
export function DeleteDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const { location } = usePage()
  const [remove, { isLoading }] = useDeleteConversationMutation()
  const { drafts, media } = useSession()
  return (
    <ConfirmDialog
      title="Delete conversation"
      description={`All messages with ${name} are deleted for you, on all your devices. ${name} keeps them and is not told. The next message of either of you starts it again.`}
      action="Delete for me"
      isBusy={isLoading}
      onConfirm={async () => {
        await remove(id).unwrap()
        drafts.set(id, '')
        await within(systemClock, writtenWithinMs, () => dropFiles(id, media)).catch(() => undefined)
        // The page is replaced, because only that removes the messages from memory.
        location.replace('/messaging')
      }}
      onClose={onClose}
    />
  )
}
