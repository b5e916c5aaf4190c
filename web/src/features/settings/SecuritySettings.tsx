import type { WholeUser } from '@sumlock/contracts/user'
import { useNavigate } from 'react-router-dom'
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx'
import { DiscreetModeSwitch } from './DiscreetModeSwitch.tsx'
import { EncryptionDialog } from './EncryptionDialog.tsx'
import { EndSessionsDialog } from './EndSessionsDialog.tsx'
import { passwordWords } from './password-words.ts'
import { ResetAppDialog } from './ResetAppDialog.tsx'
import { ButtonRow, SettingsGroup, SettingsRow } from './SettingsGroup.tsx'
import { SignInMailsSwitch } from './SignInMailsSwitch.tsx'
import { useDialog } from './use-dialog.ts'

/** Shows who may open the account: its passwords, discreet mode, devices and sessions. */
export function SecuritySettings({ user, isUnlocked }: { user: WholeUser; isUnlocked: boolean }) {
  const { dialog, open, close } = useDialog<'password' | 'encryption' | 'sessions' | 'reset'>()
  const navigate = useNavigate()
  return (
    <>
      <SettingsGroup title="Security">
        {isUnlocked && (
          <>
            <SettingsRow>
              <p className="py-1 text-sm text-ink-2">{passwordWords}</p>
            </SettingsRow>
            <ButtonRow onClick={() => void navigate('/settings/number')}>Change security password</ButtonRow>
            <ButtonRow onClick={open('password')}>Change account password</ButtonRow>
          </>
        )}
        <DiscreetModeSwitch isDiscreet={user.isDiscreet} />
        {isUnlocked && <SignInMailsSwitch />}
        {isUnlocked && <ButtonRow onClick={open('encryption')}>Encryption</ButtonRow>}
        <ButtonRow onClick={() => void navigate('/settings/devices')}>Devices</ButtonRow>
        <ButtonRow onClick={open('sessions')}>End other sessions</ButtonRow>
        {user.isAdmin && <ButtonRow onClick={() => void navigate('/admin')}>Admin Dashboard</ButtonRow>}
        <ButtonRow isDanger onClick={open('reset')}>
          Reset app
        </ButtonRow>
      </SettingsGroup>
      <ChangePasswordDialog open={dialog === 'password'} onClose={close} />
      {dialog === 'encryption' && <EncryptionDialog onClose={close} userId={user.id} />}
      <EndSessionsDialog open={dialog === 'sessions'} onClose={close} />
      <ResetAppDialog
        open={dialog === 'reset'}
        onClose={close}
        unlockPausedUntil={user.unlockPausedUntil}
        waits={user.resetWaits ?? false}
      />
    </>
  )
}
