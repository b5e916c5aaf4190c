import { lazy } from 'react'
import { Route, Routes, useLocation } from 'react-router-dom'
import { LockWatch } from '../features/lock/LockWatch.tsx'
import { useAuth } from '../features/session/auth-context.ts'
import { isKnownDevice } from '../features/session/known-device.ts'
import { RequireUser } from '../features/session/RequireUser.tsx'
import { importModule } from '../shared/lib/import-module.ts'
import { lazyPart } from '../shared/lib/lazy-part.tsx'
import { Tooltips } from '../shared/ui/TipButton.tsx'
import { InnerBoundary } from './InnerBoundary.tsx'

const AuthScreen = lazy(async () => ({
  default: (await importModule(() => import('../features/auth/AuthScreen.tsx'))).AuthScreen,
}))
// The sign-in chunk is checked for telltale words, like the calculator's; the chunks behind it are not.
const SignedInRoutes = lazyPart(
  async () => (await importModule(() => import('./SignedInRoutes.tsx'))).SignedInRoutes,
)
export const loadSignedInRoutes = SignedInRoutes.load

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

/** Leads a stranger from the menu to the sign-in without the next chunk, which names the screens behind it. */
function BehindSignIn() {
  const { pathname } = useLocation()
  const { user } = useAuth()
  const isStranger = user === null && !isKnownDevice()
  return isStranger && pathname === '/settings' ? <RequireUser /> : <SignedInRoutes />
}
