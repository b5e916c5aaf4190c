import type { WholeUser } from '@sumlock/contracts/user'
import { useState } from 'react'
import { ChangeEmailDialog } from './ChangeEmailDialog.tsx'
import { ChangeNameDialog } from './ChangeNameDialog.tsx'
import { ChangePhoneDialog } from './ChangePhoneDialog.tsx'
import { ButtonRow, SettingsGroup } from './SettingsGroup.tsx'

type Detail = 'name' | 'email' | 'phone'

/** Shows name, e-mail address and phone number of an unlocked account, each with a dialog to change it. */
export function AccountDetails({ user }: { user: WholeUser }) {
  const [changed, setChanged] = useState<Detail | null>(null)
  const close = () => setChanged(null)
  const row = (detail: Detail, label: string, value: string) => (
    <ButtonRow onClick={() => setChanged(detail)}>
      <span>{label}</span>
      <span className="min-w-0 truncate text-ink-2">{value}</span>
    </ButtonRow>
  )
  return (
    <SettingsGroup title="Account">
      {row('name', 'Full name', user.fullName)}
      {row('email', 'Email', user.email)}
      {row('phone', 'Phone', user.phone)}
      <ChangeNameDialog open={changed === 'name'} onClose={close} />
      <ChangeEmailDialog open={changed === 'email'} onClose={close} />
      <ChangePhoneDialog open={changed === 'phone'} onClose={close} />
    </SettingsGroup>
  )
}
