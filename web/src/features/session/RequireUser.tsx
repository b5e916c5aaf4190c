import { Navigate, Outlet } from 'react-router-dom'
import { Button } from '../../shared/ui/Button.tsx'
import { Card, CenteredPage } from '../../shared/ui/Card.tsx'
import { FullPageSpinner } from '../../shared/ui/Spinner.tsx'
import { useAuth } from './auth-context.ts'
import { isUnlocked } from './is-unlocked.ts'

/** Lets only signed-in people through; the others go to /auth. */
export function RequireUser() {
  const { user, isLoading, error, refresh } = useAuth()
  if (isLoading) return <FullPageSpinner />
  if (error && !user) {
    return (
      <CenteredPage>
        <Card>
          <h1 className="text-lg font-semibold">No connection</h1>
          <p className="mt-1 text-ink-2">
            We could not reach the server. Check your connection and try again.
          </p>
          <Button className="mt-4 w-full" onClick={() => void refresh()}>
            Retry
          </Button>
        </Card>
      </CenteredPage>
    )
  }
  return user ? <Outlet /> : <Navigate to="/auth" replace />
}

/** Lets only unlocked sessions through; the others go to the calculator, never to /auth. */
export function RequireUnlocked() {
  const { user } = useAuth()
  // The server says null once it is over; the clock of this device may be wrong and is not asked.
  return isUnlocked(user) ? <Outlet /> : <Navigate to="/" replace />
}
