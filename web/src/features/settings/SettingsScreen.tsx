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
  // The set-up is already complete when its success dialog opens, so the screen keeps it until the person leaves it.
  const [isSettingUp] = useState(user !== null && needsSetUp(user))
  if (!user) return null
  if (isSettingUp) return <SetUpPin />
  return isWholeUser(user) ? <AccountSettings user={user} /> : <DiscreetSettings user={user} />
}
