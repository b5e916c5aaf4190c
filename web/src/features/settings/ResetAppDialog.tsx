import { useState } from 'react'
import { clockText, dateAndTimeText } from '../../shared/lib/date-text.ts'
import { Notice } from '../../shared/ui/Notice.tsx'
import { removeCopies } from '../device/stored-copies.ts'
import { discardUnsentText } from '../delivery/unsent-store.ts'
import { isDiscreetDevice } from '../device/known-device.ts'
import { AccountPasswordDialog } from './AccountPasswordDialog.tsx'
import { useResetAppMutation } from './settings-api.ts'
import { usePage } from '../../page.ts'

interface ResetAppDialogProps {
  open: boolean
  onClose: () => void
  unlockPausedUntil: string | null
  /** Whether the reset waits for a day, because the right number was never entered in this session. */
  waits: boolean
}

/** Resets the app for a person who forgot the number. The set-up then requires a new number. */
export function ResetAppDialog({ open, onClose, unlockPausedUntil, waits }: ResetAppDialogProps) {
  const page = usePage()
  const [reset] = useResetAppMutation()
  const [dueAt, setDueAt] = useState<string>()
  const confirm = async (password: string) => {
    const answer = await reset({ password }).unwrap()
    if (answer.dueAt) return setDueAt(answer.dueAt)
    const { session, unlocked } = page
    const outboxKey = session?.outboxKey ?? unlocked?.outboxKey
    session?.close()
    removeCopies()
    if (outboxKey !== undefined) await discardUnsentText(outboxKey)
    // In discreet mode the calculator leads to the set-up, so that no other address remains in the browser's history.
    page.location.replace(isDiscreetDevice() ? '/' : '/settings')
  }
  return (
    <AccountPasswordDialog
      open={open}
      title="Reset app"
      action={waits ? 'Delete everything in 24 hours' : 'Delete everything and reset'}
      isDanger
      onConfirm={confirm}
      doneText={
        dueAt
          ? `The app will be reset on ${dateAndTimeText(dueAt)}. Sign in after that and choose a new number.`
          : 'The app was reset. Choose a new number.'
      }
      onClose={onClose}
    >
      <p>
        Only for a number that you cannot remember.{' '}
        {waits
          ? 'You have not entered your number since you signed in here, so the reset waits 24 hours. Until then, the right number on any device cancels it. After that it cannot be undone.'
          : 'It cannot be undone.'}
      </p>
      <ul className="list-disc space-y-1 pl-5">
        <li>All your conversations are deleted for you. The people you write with keep theirs.</li>
        <li>You get a new user code. The old one no longer works.</li>
        <li>
          {waits
            ? 'You are signed out on every device and browser, also here.'
            : 'You are signed out on every other device and browser.'}
        </li>
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
