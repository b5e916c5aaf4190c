import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import { useState } from 'react'
import { useAuth } from '../session/auth-context.ts'
import { needsSetUp } from '../session/start-of.ts'
import { AccountSettings } from './AccountSettings.tsx'
import { DiscreetSettings } from './DiscreetSettings.tsx'
import { SetUpPin } from './SetUpPin.tsx'

/** Shows the set-up of the numeric password, or the account's settings once it is set. */
export function SettingsScreen() {
  const { user } = useAuth()
  // When the success dialog of the set-up opens, the user's set-up is already complete. The screen stays the same until
  // the person leaves it.
  const [isSettingUp] = useState(user !== null && needsSetUp(user))
  if (!user) return null
  if (isSettingUp) return <SetUpPin />
  return isWholeUser(user) ? <AccountSettings user={user} /> : <DiscreetSettings user={user} />
}
