import type { WholeUser } from '@sumlock/contracts/user'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { clockTime } from '../../shared/lib/clock-time.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Card } from '../../shared/ui/Card.tsx'
import { CopyIcon } from '../../shared/ui/icons.tsx'
import { TipButton } from '../../shared/ui/TipButton.tsx'
import { toast } from '../../shared/ui/toast.ts'
import { CalculatorSettings } from './CalculatorSettings.tsx'
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx'
import { DiscreetModeSwitch } from './DiscreetModeSwitch.tsx'
import { EndSessionsDialog } from './EndSessionsDialog.tsx'
import { LegalSettings } from './LegalSettings.tsx'
import { LogoutButton } from './LogoutButton.tsx'
import { ButtonRow, SettingsGroup } from './SettingsGroup.tsx'
import { SettingsPage } from './SettingsPage.tsx'
import { VerifyEmailBanner } from './VerifyEmailBanner.tsx'

export function AccountSettings({ user }: { user: WholeUser }) {
  const [isEnding, setIsEnding] = useState(false)
  const [isChanging, setIsChanging] = useState(false)
  const navigate = useNavigate()
  const isUnlocked = user.unlockedUntil !== null
  const isPremium = user.subscriptionType === 'premium'

  const copy = async () => {
    await navigator.clipboard.writeText(user.userCode)
    toast({ title: 'Copied to clipboard', description: 'Your user code has been copied' })
  }
  return (
    <SettingsPage backTo={isUnlocked ? '/messaging' : '/'}>
      {!user.isEmailVerified && <VerifyEmailBanner email={user.email} />}
      <Card>
        <h2 className="text-sm font-medium text-ink-2">Signed in as</h2>
        <p className="mt-0.5 text-lg font-semibold">{user.username}</p>
        <h2 className="mt-4 text-sm font-medium text-ink-2">Your unique code</h2>
        <div className="mt-0.5 flex items-center justify-between gap-2">
          <p className="text-xl tracking-[0.06em] tabular-nums">{user.userCode}</p>
          <TipButton label="Copy code" onClick={() => void copy()}>
            <CopyIcon />
          </TipButton>
        </div>
        <p className="mt-1 text-sm text-ink-2">Give it to the one person you want to hear from.</p>
      </Card>
      <Card>
        <h2 className="text-sm font-medium text-ink-2">Subscription</h2>
        <p className="mt-0.5 text-lg font-semibold">{isPremium ? 'Premium' : 'Free Plan'}</p>
        {isPremium && user.subscriptionExpiresAt && (
          <p className="text-sm text-ink-2">
            Until {new Date(user.subscriptionExpiresAt).toLocaleDateString()}
          </p>
        )}
        {!isPremium && user.dailyMessageCount !== null && (
          <p className="text-sm text-ink-2">
            Messages remaining today: {Math.max(0, 1 - user.dailyMessageCount)}
          </p>
        )}
      </Card>
      {user.unlockPausedUntil && (
        <Card>
          <p className="text-sm">Unlocking is paused until {clockTime(user.unlockPausedUntil)}</p>
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
      <SettingsGroup title="Security">
        <DiscreetModeSwitch isDiscreet={user.isDiscreet} />
        {isUnlocked && (
          <>
            <ButtonRow onClick={() => void navigate('/settings/number')}>Change security password</ButtonRow>
            <ButtonRow onClick={() => setIsChanging(true)}>Change account password</ButtonRow>
          </>
        )}
        <ButtonRow onClick={() => setIsEnding(true)}>End other sessions</ButtonRow>
      </SettingsGroup>
      <CalculatorSettings />
      <ChangePasswordDialog open={isChanging} onClose={() => setIsChanging(false)} />
      <EndSessionsDialog open={isEnding} onClose={() => setIsEnding(false)} />
      <LegalSettings />
      <LogoutButton />
    </SettingsPage>
  )
}
