import { randomId } from '@sumlock/sync/random-id'
import { useSession } from '../../page.ts'
import { forgetEdit } from '../delivery/edit-draft.ts'
import { ConfirmDialog } from '../conversation-options/ConfirmDialog.tsx'
import type { OwnMessage } from './use-own-message.ts'

/** Explains what a deletion for both does and what it cannot do, and takes the message back after a confirmation. */
export function UnsendDialog({ own, onClose }: { own: OwnMessage; onClose: () => void }) {
  const { outbox, media, drafts } = useSession()
  const { conversationId, name: target, mediaUrl } = own
  const unsend = () => {
    if (mediaUrl) media.own.delete(mediaUrl)
    forgetEdit(drafts, own)
    const act = { conversationId, clientMessageId: randomId(), act: 'unsend' as const, target }
    outbox.act({ ...act, ...(mediaUrl && { mediaUrl }) })
    onClose()
    return Promise.resolve()
  }
  return (
    <ConfirmDialog
      title="Delete for both?"
      description="The message disappears from this chat for both of you, on all your devices. “Deleted message” stays in its place."
      action="Delete for both"
      isBusy={false}
      onConfirm={unsend}
      onClose={onClose}
    >
      <p className="text-sm text-ink-2">
        It may have been read or copied before. Out of sight our servers keep it for a while: in the message
        queue for up to a day, in the log of the database until that is overwritten, in a report if it was
        attached to one, and in backups for up to 60 days. If a backup has to be restored, the message comes
        back.
      </p>
    </ConfirmDialog>
  )
}
