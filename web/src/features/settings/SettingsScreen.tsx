import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import { useState } from 'react'
import { useAuth } from '../session/auth-context.ts'
import { AccountSettings } from './AccountSettings.tsx'
import { DiscreetSettings } from './DiscreetSettings.tsx'
import { SetUpPin } from './SetUpPin.tsx'

/** Set-up while there is no numeric password, the account afterwards. */
export function SettingsScreen() {
  const { user } = useAuth()
  // The set-up screen stays until its success dialog was answered, though set-up is complete by then.
  const [isSettingUp, setIsSettingUp] = useState(user?.isSetupComplete === false)
  if (!user) return null
  if (isSettingUp) return <SetUpPin onDone={() => setIsSettingUp(false)} />
  return isWholeUser(user) ? <AccountSettings user={user} /> : <DiscreetSettings user={user} />
}
