import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import { useState } from 'react'
import { useAuth } from '../session/auth-context.ts'
import { AccountSettings } from './AccountSettings.tsx'
import { DiscreetSettings } from './DiscreetSettings.tsx'
import { SetUpPin } from './SetUpPin.tsx'

/** The set-up of the numeric password, or the account's settings once it is set. */
export function SettingsScreen() {
  const { user } = useAuth()
  // The set-up screen stays until its success dialog is closed, although set-up is complete by then.
  const [isSettingUp, setIsSettingUp] = useState(user?.isSetupComplete === false)
  if (!user) return null
  if (isSettingUp) return <SetUpPin onDone={() => setIsSettingUp(false)} />
  return isWholeUser(user) ? <AccountSettings user={user} /> : <DiscreetSettings user={user} />
}
