import type { WholeUser } from '@sumlock/contracts/user'
import { ChangeEmailDialog } from './ChangeEmailDialog.tsx'
import { ChangeNameDialog } from './ChangeNameDialog.tsx'
import { ChangePhoneDialog } from './ChangePhoneDialog.tsx'
import { RotateCodeDialog } from './RotateCodeDialog.tsx'
import { ButtonRow, SettingsGroup } from './SettingsGroup.tsx'
import { useDialog } from './use-dialog.ts'

type Detail = 'name' | 'email' | 'phone'

/** Shows name, e-mail address and phone number of an unlocked account, each with a dialog to change it, and offers a new code. */
export function AccountDetails({ user }: { user: WholeUser }) {
  const { dialog: changed, open, close } = useDialog<Detail | 'code'>()
  const row = (detail: Detail, label: string, value: string) => (
    <ButtonRow onClick={open(detail)}>
      <span>{label}</span>
      <span className="ml-auto min-w-0 text-right text-ink-2 wrap-anywhere">{value}</span>
    </ButtonRow>
  )
  return (
    <SettingsGroup title="Account">
      {row('name', 'Full name', user.fullName)}
      {row('email', 'Email', user.email)}
      {row('phone', 'Phone', user.phone)}
      <ButtonRow onClick={open('code')}>Get a new code</ButtonRow>
      <ChangeNameDialog open={changed === 'name'} onClose={close} />
      <ChangeEmailDialog open={changed === 'email'} onClose={close} />
      <ChangePhoneDialog open={changed === 'phone'} onClose={close} />
      <RotateCodeDialog open={changed === 'code'} onClose={close} />
    </SettingsGroup>
  )
}
