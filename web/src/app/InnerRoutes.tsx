import { Route, Routes, useLocation } from 'react-router-dom'
import { LockWatch } from '../features/session/LockWatch.tsx'
import { useAuth } from '../features/session/auth-context.ts'
import { isKnownDevice } from '../features/device/known-device.ts'
import { RequireUser } from '../features/session/RequireUser.tsx'
import { Tooltips } from '../shared/ui/TipButton.tsx'
import { AuthScreen, SignedInRoutes } from './chunks/before-sign-in.ts'
import { InnerBoundary } from './InnerBoundary.tsx'

/** Everything behind the calculator. */
export function InnerRoutes() {
  return (
    <LockWatch>
      {/* Inside the watch, so that a screen that fails does not stop the locking. */}
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

/** Leads a stranger from the menu to the sign-in without loading the next chunk, which names the screens behind it. */
function BehindSignIn() {
  const { pathname } = useLocation()
  const { user } = useAuth()
  const isStranger = user === null && !isKnownDevice()
  return isStranger && pathname === '/settings' ? <RequireUser /> : <SignedInRoutes />
}
