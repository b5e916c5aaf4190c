import { randomId } from '@sumlock/sync/random-id'
import { useSession } from '../../page.ts'
import { ConfirmDialog } from '../conversation-options/ConfirmDialog.tsx'
import type { OwnMessage } from './use-own-message.ts'

/** Explains what a deletion for both does and what it cannot do, and takes the message back after a confirmation. */
export function UnsendDialog({ own, onClose }: { own: OwnMessage; onClose: () => void }) {
  const { outbox, media } = useSession()
  const { conversationId, name: target, mediaUrl } = own
  const unsend = () => {
    if (mediaUrl) media.own.delete(mediaUrl)
    outbox.act({ conversationId, clientMessageId: randomId(), act: 'unsend', target })
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
        It may have been read or copied before. Our servers still hold it for up to a day in their queues and
        in the log of the database, a report keeps what was attached to it, and backups keep it for up to 60
        days: if we have to restore one, the message comes back.
      </p>
    </ConfirmDialog>
  )
}
