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
 * Lets only signed-in people through and sends the others to /auth. An account whose deletion is scheduled has to be
 * kept first.
 */
export function RequireUser() {
  const { place } = usePage()
  const { user, isSignedOut, error, refresh } = useAuth()
  if (user?.deletionScheduledFor) return <KeepAccountScreen scheduledFor={user.deletionScheduledFor} />
  // The person may have fled from this screen.
  if (user && place.isBroughtBack() && !isUnlocked(user)) return <Navigate to="/" replace />
  if (user) return <Outlet />
  if (isSignedOut) return <Navigate to="/auth" replace />
  // A page that was loaded here is about to go to the calculator.
  return error && !place.isLoadedInside() ? (
    <Unreachable onRetry={() => void refresh()} />
  ) : (
    <FullPageSpinner />
  )
}

/** Lets only unlocked sessions through and sends the others to the calculator, never to /auth. */
export function RequireUnlocked() {
  const { user } = useAuth()
  const isOpen = useLockStatus() === 'nothing-owed' && isUnlocked(user)
  return isOpen ? <Outlet /> : <Navigate to="/" replace />
}

/** Hides these addresses from sessions that see only the reduced account of discreet mode. */
export function RequireWholeUser() {
  const { user } = useAuth()
  return user && isWholeUser(user) ? <Outlet /> : <Navigate to="/settings" replace />
}
