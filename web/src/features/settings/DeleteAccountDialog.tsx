import { usePage } from '../../page.ts'
import { leaveAccount } from '../session/leave-account.ts'
import { AccountPasswordDialog } from './AccountPasswordDialog.tsx'
import { useDeleteAccountMutation } from './settings-api.ts'

interface DeleteAccountDialogProps {
  open: boolean
  onClose: () => void
  isPremium: boolean
  /** Whether other sessions stay signed in, because the right number was never entered in this one. */
  sparesOthers: boolean
}

/** Explains the consequences. After a confirmation it schedules the deletion, signs out and opens the calculator. */
export function DeleteAccountDialog({ open, onClose, isPremium, sparesOthers }: DeleteAccountDialogProps) {
  const [deleteAccount] = useDeleteAccountMutation()
  const page = usePage()
  const confirm = async (password: string) => {
    await leaveAccount(
      page,
      () => deleteAccount({ password }).unwrap(),
      () => page.session?.close(),
    )
  }
  return (
    <AccountPasswordDialog
      open={open}
      title="Delete account"
      action="Delete my account"
      isDanger
      onConfirm={confirm}
      doneText="Your account will be deleted in 14 days."
      onClose={onClose}
    >
      <ul className="list-disc space-y-1 pl-5">
        <li>
          {sparesOthers
            ? 'You are signed out now, but not on devices on which your number was entered. '
            : 'You are signed out everywhere now. '}
          In 14 days your account and everything you wrote are deleted.
        </li>
        <li>
          To keep your account, sign in before then{sparesOthers && ', or open Settings on such a device'}.
        </li>
        <li>From now on, the people you write with read that you are no longer here.</li>
        <li>Messages that were not sent yet are lost.</li>
        {isPremium && (
          <li>
            Premium ends with the account. A subscription that you bought in an app store goes on: cancel it
            in the settings of that store.
          </li>
        )}
      </ul>
    </AccountPasswordDialog>
  )
}
