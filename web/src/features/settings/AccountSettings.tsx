import type { WholeUser } from '@sumlock/contracts/user'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { clockText } from '../../shared/lib/date-text.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Card } from '../../shared/ui/Card.tsx'
import { AskFirstSwitch } from './AskFirstSwitch.tsx'
import { PremiumCards } from '../premium/PremiumCards.tsx'
import { AccountDetails } from './AccountDetails.tsx'
import { CalculatorSettings } from './CalculatorSettings.tsx'
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx'
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx'
import { DiscreetModeSwitch } from './DiscreetModeSwitch.tsx'
import { EncryptionDialog } from './EncryptionDialog.tsx'
import { EndSessionsDialog } from './EndSessionsDialog.tsx'
import { ExportDialog } from './ExportDialog.tsx'
import { LegalSettings } from './LegalSettings.tsx'
import { LogoutButton } from './LogoutButton.tsx'
import { PendingResetNotice } from './PendingResetNotice.tsx'
import { ResetAppDialog } from './ResetAppDialog.tsx'
import { RotateCodeDialog } from './RotateCodeDialog.tsx'
import { ButtonRow, SettingsGroup } from './SettingsGroup.tsx'
import { SettingsPage } from './SettingsPage.tsx'
import { SignInMailsSwitch } from './SignInMailsSwitch.tsx'
import { StorageRow } from './StorageRow.tsx'
import { UserCodeCard } from './UserCodeCard.tsx'
import { VerifyEmailBanner } from './VerifyEmailBanner.tsx'

export function AccountSettings({ user }: { user: WholeUser }) {
  const [dialog, setDialog] = useState<
    'password' | 'code' | 'encryption' | 'sessions' | 'export' | 'reset' | 'delete' | null
  >(null)
  const navigate = useNavigate()
  const isUnlocked = user.unlockedUntil !== null
  const close = () => setDialog(null)
  const isPremium = user.subscriptionType === 'premium'

  return (
    <SettingsPage backTo={isUnlocked ? '/messaging' : '/'}>
      {!user.isEmailVerified && <VerifyEmailBanner email={user.email} />}
      {user.resetDueAt && <PendingResetNotice dueAt={user.resetDueAt} isUnlocked={isUnlocked} />}
      <UserCodeCard user={user} />
      <PremiumCards user={user} />
      {user.unlockPausedUntil && (
        <Card>
          <p className="text-sm">Unlocking is paused until {clockText(user.unlockPausedUntil)}</p>
        </Card>
      )}
      <Button
        className="w-full"
        onClick={() =>
          void (isUnlocked ? navigate('/messaging') : navigate('/', { state: { passwordMode: true } }))
        }
      >
        Access Secure Messaging
      </Button>
      {isUnlocked && <AccountDetails user={user} />}
      <SettingsGroup title="Security">
        <DiscreetModeSwitch isDiscreet={user.isDiscreet} />
        {isUnlocked && <SignInMailsSwitch />}
        {isUnlocked && <AskFirstSwitch />}
        {isUnlocked && (
          <>
            <ButtonRow onClick={() => void navigate('/settings/number')}>Change security password</ButtonRow>
            <ButtonRow onClick={() => setDialog('password')}>Change account password</ButtonRow>
            <ButtonRow onClick={() => setDialog('code')}>Get a new code</ButtonRow>
            <ButtonRow onClick={() => setDialog('encryption')}>Encryption</ButtonRow>
            <ButtonRow onClick={() => setDialog('export')}>Export my data</ButtonRow>
            <StorageRow />
          </>
        )}
        <ButtonRow onClick={() => void navigate('/settings/devices')}>Devices</ButtonRow>
        <ButtonRow onClick={() => void navigate('/settings/access-log')}>Access log</ButtonRow>
        {user.isAdmin && <ButtonRow onClick={() => void navigate('/admin')}>Admin Dashboard</ButtonRow>}
        <ButtonRow onClick={() => setDialog('sessions')}>End other sessions</ButtonRow>
        <ButtonRow isDanger onClick={() => setDialog('reset')}>
          Reset app
        </ButtonRow>
        <ButtonRow isDanger onClick={() => setDialog('delete')}>
          Delete account
        </ButtonRow>
      </SettingsGroup>
      <CalculatorSettings />
      <ChangePasswordDialog open={dialog === 'password'} onClose={close} />
      {dialog === 'encryption' && <EncryptionDialog onClose={close} userId={user.id} />}
      <ExportDialog open={dialog === 'export'} onClose={close} user={user} />
      <RotateCodeDialog open={dialog === 'code'} onClose={close} />
      <EndSessionsDialog open={dialog === 'sessions'} onClose={close} />
      <ResetAppDialog
        open={dialog === 'reset'}
        onClose={close}
        unlockPausedUntil={user.unlockPausedUntil}
        waits={user.resetWaits ?? false}
      />
      <DeleteAccountDialog
        open={dialog === 'delete'}
        onClose={close}
        isPremium={isPremium}
        sparesOthers={user.resetWaits ?? false}
      />
      <LegalSettings />
      <LogoutButton />
    </SettingsPage>
  )
}
