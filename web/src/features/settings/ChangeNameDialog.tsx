import { AccountPasswordDialog } from './AccountPasswordDialog.tsx'
import { useChangeFullNameMutation } from './settings-api.ts'

const field = {
  name: 'fullName',
  label: 'New full name',
  type: 'text',
  autoComplete: 'name',
  rule: 'fullName',
} as const

export function ChangeNameDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [change] = useChangeFullNameMutation()
  return (
    <AccountPasswordDialog
      open={open}
      title="Change full name"
      field={field}
      action="Change full name"
      onConfirm={async (password, fullName) => void (await change({ password, fullName }).unwrap())}
      doneText="Your full name was changed."
      onClose={onClose}
    >
      <p>It is used in the mails that you get.</p>
    </AccountPasswordDialog>
  )
}
