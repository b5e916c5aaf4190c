import { AccountPasswordDialog } from './AccountPasswordDialog.tsx'
import { useChangeEmailMutation } from './settings-api.ts'

const field = {
  name: 'email',
  label: 'New email address',
  type: 'email',
  autoComplete: 'email',
  rule: 'email',
} as const

/** Sends a link to the new address. Opening this link makes it the account's address. */
export function ChangeEmailDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [change] = useChangeEmailMutation()
  return (
    <AccountPasswordDialog
      open={open}
      title="Change email address"
      field={field}
      action="Send link to the new address"
      onConfirm={async (password, email) => void (await change({ password, email: email.trim() }).unwrap())}
      doneText="We sent a link to the new address. Open it within 24 hours; until then the present address stays."
      onClose={onClose}
    >
      <p>We send a link to the new address, and tell the present one once you have opened it.</p>
    </AccountPasswordDialog>
  )
}
