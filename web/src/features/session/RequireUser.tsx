import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import { Navigate, Outlet } from 'react-router-dom'
import { FullPageSpinner } from '../../shared/ui/Spinner.tsx'
import { useLockStatus } from '../lock/use-lock-status.ts'
import { useAuth } from './auth-context.ts'
import { KeepAccountScreen } from './KeepAccountScreen.tsx'
import { isUnlocked } from './is-unlocked.ts'
import { Unreachable } from './Unreachable.tsx'
import { usePage } from '../../page.ts'

/**
 * Shows the screens only to signed-in people and sends others to /auth. An account that is scheduled for deletion has
 * to be kept first.
 */
export function RequireUser() {
  const { place } = usePage()
  const { user, isSignedOut, error, refresh } = useAuth()
  if (user?.deletionScheduledFor) return <KeepAccountScreen scheduledFor={user.deletionScheduledFor} />
  // Back or Forward must not show a screen from which the person may have fled.
  if (user && place.isBroughtBack() && !isUnlocked(user)) return <Navigate to="/" replace />
  if (user) return <Outlet />
  if (isSignedOut) return <Navigate to="/auth" replace />
  // A page that was loaded at this address shows no error, because it soon goes to the calculator.
  return error && !place.isLoadedInside() ? (
    <Unreachable onRetry={() => void refresh()} />
  ) : (
    <FullPageSpinner />
  )
}

/** Shows the screens only in an unlocked session, and leads to the calculator otherwise, never to /auth. */
export function RequireUnlocked() {
  const { user } = useAuth()
  const isOpen = useLockStatus() === 'nothing-owed' && isUnlocked(user)
  return isOpen ? <Outlet /> : <Navigate to="/" replace />
}

/** Hides these screens from sessions that receive only the reduced account of discreet mode. */
export function RequireWholeUser() {
  const { user } = useAuth()
  return user && isWholeUser(user) ? <Outlet /> : <Navigate to="/settings" replace />
}
