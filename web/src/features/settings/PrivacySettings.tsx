import type { WholeUser } from '@sumlock/contracts/user'
import { useNavigate } from 'react-router-dom'
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx'
import { ExportDialog } from './ExportDialog.tsx'
import { AskFirstSwitch, ReadReceiptsSwitch } from './PreferenceSwitches.tsx'
import { ButtonRow, SettingsGroup } from './SettingsGroup.tsx'
import { StorageRow } from './StorageRow.tsx'
import { useDialog } from './use-dialog.ts'

/** Shows what others may do and what is stored: requests, media, export, access log, deletion. */
export function PrivacySettings({ user, isUnlocked }: { user: WholeUser; isUnlocked: boolean }) {
  const { dialog, open, close } = useDialog<'export' | 'delete'>()
  const navigate = useNavigate()
  return (
    <>
      <SettingsGroup title="Privacy">
        {isUnlocked && (
          <>
            <AskFirstSwitch />
            <ReadReceiptsSwitch />
            <StorageRow />
            <ButtonRow onClick={open('export')}>Export my data</ButtonRow>
          </>
        )}
        <ButtonRow onClick={() => void navigate('/settings/access-log')}>Access log</ButtonRow>
        <ButtonRow isDanger onClick={open('delete')}>
          Delete account
        </ButtonRow>
      </SettingsGroup>
      <ExportDialog open={dialog === 'export'} onClose={close} user={user} />
      <DeleteAccountDialog
        open={dialog === 'delete'}
        onClose={close}
        isPremium={user.subscriptionType === 'premium'}
        sparesOthers={user.resetWaits ?? false}
      />
    </>
  )
}
