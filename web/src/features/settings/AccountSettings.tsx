import type { WholeUser } from '@sumlock/contracts/user'
import { useNavigate } from 'react-router-dom'
import { clockText } from '../../shared/lib/date-text.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Card } from '../../shared/ui/Card.tsx'
import { PremiumCards } from '../premium/PremiumCards.tsx'
import { AccountDetails } from './AccountDetails.tsx'
import { CalculatorSettings } from './CalculatorSettings.tsx'
import { LegalSettings } from './LegalSettings.tsx'
import { LogoutButton } from './LogoutButton.tsx'
import { PendingResetNotice } from './PendingResetNotice.tsx'
import { PrivacySettings } from './PrivacySettings.tsx'
import { SecuritySettings } from './SecuritySettings.tsx'
import { SettingsPage } from './SettingsPage.tsx'
import { UserCodeCard } from './UserCodeCard.tsx'
import { VerifyEmailBanner } from './VerifyEmailBanner.tsx'

export function AccountSettings({ user }: { user: WholeUser }) {
  const navigate = useNavigate()
  const isUnlocked = user.unlockedUntil !== null
  return (
    <SettingsPage backTo={isUnlocked ? '/messaging' : '/'}>
      {!user.isEmailVerified && <VerifyEmailBanner email={user.email} />}
      {user.resetDueAt && <PendingResetNotice dueAt={user.resetDueAt} isUnlocked={isUnlocked} />}
      <UserCodeCard user={user} />
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
      <PremiumCards user={user} />
      <SecuritySettings user={user} isUnlocked={isUnlocked} />
      <PrivacySettings user={user} isUnlocked={isUnlocked} />
      <CalculatorSettings />
      <LegalSettings />
      <LogoutButton />
    </SettingsPage>
  )
}
