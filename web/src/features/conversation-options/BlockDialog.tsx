import { ConfirmDialog } from './ConfirmDialog.tsx'
import { useChangeStateMutation } from './options-api.ts'

/** Explains the consequences and blocks the person after a confirmation. */
export function BlockDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const [change, { isLoading }] = useChangeStateMutation()
  return (
    <ConfirmDialog
      title={`Block ${name}?`}
      description={`You will not see what ${name} sends from now on, also not after unblocking. ${name} is not told. You can unblock at any time.`}
      action="Block"
      isBusy={isLoading}
      onConfirm={async () => {
        await change({ id, isBlocked: true }).unwrap()
        onClose()
      }}
      onClose={onClose}
    />
  )
}
