import type { WholeUser } from '@sumlock/contracts/user'
import { useNavigate } from 'react-router-dom'
import { toastFailure } from '../../api/toast-failure.ts'
import { Button, IconButton } from '../../shared/ui/Button.tsx'
import { Card } from '../../shared/ui/Card.tsx'
import { BackIcon, CopyIcon } from '../../shared/ui/icons.tsx'
import { toast } from '../../shared/ui/toast.ts'
import { useAuth } from '../session/auth-context.ts'

export function AccountSettings({ user }: { user: WholeUser }) {
  const { logout } = useAuth()
  const navigate = useNavigate()
  const isUnlocked = user.unlockedUntil !== null
  const isPremium = user.subscriptionType === 'premium'

  const copy = async () => {
    await navigator.clipboard.writeText(user.userCode)
    toast({ title: 'Copied to clipboard', description: 'Your user code has been copied' })
  }
  const signOut = async () => {
    try {
      await logout()
      window.location.replace('/')
    } catch (error) {
      toastFailure('Logout failed', error)
    }
  }

  return (
    <main className="mx-auto max-w-md space-y-4 p-4 pb-10">
      <header className="flex items-center gap-2 py-2">
        <IconButton
          label="Back"
          className="-ml-2"
          onClick={() => void navigate(isUnlocked ? '/messaging' : '/')}
        >
          <BackIcon />
        </IconButton>
        <h1 className="text-xl font-semibold">Settings</h1>
      </header>
      <Card>
        <h2 className="text-sm font-medium text-ink-2">Signed in as</h2>
        <p className="mt-0.5 text-lg font-semibold">{user.username}</p>
        <h2 className="mt-4 text-sm font-medium text-ink-2">Your unique code</h2>
        <div className="mt-0.5 flex items-center justify-between gap-2">
          <p className="font-mono text-xl tracking-wide">{user.userCode}</p>
          <IconButton label="Copy code" onClick={() => void copy()}>
            <CopyIcon />
          </IconButton>
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
          <p className="text-sm">
            Unlocking is paused until{' '}
            {new Date(user.unlockPausedUntil).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}
          </p>
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
      <Button variant="secondary" className="w-full" onClick={() => void signOut()}>
        Logout
      </Button>
    </main>
  )
}
