import { Route, Routes, useLocation } from 'react-router-dom'
import { LockWatch } from '../features/session/LockWatch.tsx'
import { useAuth } from '../features/session/auth-context.ts'
import { isKnownDevice } from '../features/device/known-device.ts'
import { RequireUser } from '../features/session/RequireUser.tsx'
import { Tooltips } from '../shared/ui/TipButton.tsx'
import { AuthScreen, SignedInRoutes } from './chunks/before-sign-in.ts'
import { InnerBoundary } from './InnerBoundary.tsx'

/** Renders everything behind the calculator. */
export function InnerRoutes() {
  return (
    <LockWatch>
      {/* The boundary is inside the watch, so that a screen that fails does not stop the locking. */}
      <InnerBoundary>
        <Tooltips>
          <Routes>
            <Route path="/auth" element={<AuthScreen />} />
            <Route path="*" element={<BehindSignIn />} />
          </Routes>
        </Tooltips>
      </InnerBoundary>
    </LockWatch>
  )
}

/**
 * Shows the sign-in to a person without an account who opens the settings from the menu. The next chunk, which names
 * the screens behind the sign-in, is not loaded for this.
 */
function BehindSignIn() {
  const { pathname } = useLocation()
  const { user } = useAuth()
  const isStranger = user === null && !isKnownDevice()
  return isStranger && pathname === '/settings' ? <RequireUser /> : <SignedInRoutes />
}
