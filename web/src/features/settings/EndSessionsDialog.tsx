import { AccountPasswordDialog } from './AccountPasswordDialog.tsx'
import { useEndOtherSessionsMutation } from './settings-api.ts'

export interface EndSessionsDialogProps {
  open: boolean
  onClose: () => void
  onEnded?: () => void
}

/** Requires the account password and signs the account out everywhere else. */
export function EndSessionsDialog({ open, onClose, onEnded }: EndSessionsDialogProps) {
  const [endOthers] = useEndOtherSessionsMutation()
  return (
    <AccountPasswordDialog
      open={open}
      title="End other sessions"
      action="End other sessions"
      onConfirm={async (password) => void (await endOthers({ password }).unwrap())}
      doneText="You are signed out everywhere else."
      onClose={(isDone) => {
        if (isDone) onEnded?.()
        onClose()
      }}
    >
      <p>This signs you out on every other device and browser. You stay signed in here.</p>
    </AccountPasswordDialog>
  )
}
