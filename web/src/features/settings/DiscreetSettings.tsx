import type { DiscreetUser } from '@sumlock/contracts/user'
import { clockText } from '../../shared/lib/date-text.ts'
import { CalculatorSettings } from './CalculatorSettings.tsx'
import { ButtonRow, SettingsGroup, SettingsRow } from './SettingsGroup.tsx'
import { SettingsPage } from './SettingsPage.tsx'
import { useSignOut } from './use-sign-out.ts'

/** Shows the settings of a locked account in discreet mode: those of the calculator, the account's name, and Logout. */
export function DiscreetSettings({ user }: { user: DiscreetUser }) {
  const signOut = useSignOut()
  return (
    <SettingsPage backTo="/">
      <CalculatorSettings />
      <SettingsGroup title="Account">
        <SettingsRow>
          <span>Name</span>
          <span className="min-w-0 text-right text-ink-2 wrap-anywhere">{user.username}</span>
        </SettingsRow>
        {user.unlockPausedUntil && (
          <SettingsRow>
            <span>Paused until</span>
            <span className="text-ink-2 tabular-nums">{clockText(user.unlockPausedUntil)}</span>
          </SettingsRow>
        )}
        <ButtonRow isDanger onClick={() => void signOut()}>
          Logout
        </ButtonRow>
      </SettingsGroup>
    </SettingsPage>
  )
}
