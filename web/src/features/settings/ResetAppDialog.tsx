import { useContext } from 'react'
import { clockText } from '../../shared/lib/date-text.ts'
import { page } from '../../shared/lib/page.ts'
import { Notice } from '../../shared/ui/Notice.tsx'
import { removeCopies } from '../keys/own-keys.ts'
import { sessionSecrets } from '../lock/session-secrets.ts'
import { MessagingContext } from '../messaging/messaging-context.ts'
import { discardUnsentText } from '../messaging/unsent-store.ts'
import { isDiscreetDevice } from '../session/known-device.ts'
import { AccountPasswordDialog } from './AccountPasswordDialog.tsx'
import { useResetAppMutation } from './settings-api.ts'

interface ResetAppDialogProps {
  open: boolean
  onClose: () => void
  unlockPausedUntil: string | null
}

/** The way out for a person who forgot the number; afterwards the set-up asks for another one. */
export function ResetAppDialog({ open, onClose, unlockPausedUntil }: ResetAppDialogProps) {
  const [reset, { isLoading }] = useResetAppMutation()
  const messaging = useContext(MessagingContext)
  const confirm = async (password: string) => {
    await reset({ password }).unwrap()
    messaging?.close()
    removeCopies()
    if (sessionSecrets.key !== undefined) await discardUnsentText(sessionSecrets.key)
    // The calculator leads to the set-up, without an address that remains in the browser's history.
    page.replace(isDiscreetDevice() ? '/' : '/settings')
  }
  return (
    <AccountPasswordDialog
      open={open}
      title="Reset app"
      action="Delete everything and reset"
      isDanger
      isBusy={isLoading}
      onConfirm={confirm}
      doneText="The app was reset. Choose a new number."
      onClose={onClose}
    >
      <p>Only for a number that you cannot remember. It cannot be undone.</p>
      <ul className="list-disc space-y-1 pl-5">
        <li>All your conversations are deleted for you. The people you write with keep theirs.</li>
        <li>You get a new user code. The old one no longer works.</li>
        <li>You are signed out on every other device and browser.</li>
        <li>Your account and your subscription stay.</li>
      </ul>
      {unlockPausedUntil && (
        <Notice kind="warning">
          Unlocking is paused until {clockText(unlockPausedUntil)}. A right number may have been refused: if
          you know yours, wait and try again then.
        </Notice>
      )}
    </AccountPasswordDialog>
  )
}
