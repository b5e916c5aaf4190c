import { registrationLimits as limits } from '@sumlock/contracts/registration-limits'
import { AccountPasswordDialog } from './AccountPasswordDialog.tsx'
import { passwordWords } from './password-words.ts'
import { useChangePasswordMutation } from './settings-api.ts'

const field = {
  name: 'newPassword',
  label: 'New account password',
  type: 'password',
  autoComplete: 'new-password',
  hint: `Must be at least ${limits.passwordMinLength} characters long`,
  rule: 'password',
} as const

/** Replaces the account password of an unlocked account. */
export function ChangePasswordDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [change] = useChangePasswordMutation()
  return (
    <AccountPasswordDialog
      open={open}
      title="Change account password"
      field={field}
      action="Change account password"
      onConfirm={async (password, newPassword) => void (await change({ password, newPassword }).unwrap())}
      doneText="Your account password was changed. You are signed out everywhere else."
      onClose={onClose}
    >
      <p>{passwordWords} A change signs you out on every other device and browser.</p>
    </AccountPasswordDialog>
  )
}
