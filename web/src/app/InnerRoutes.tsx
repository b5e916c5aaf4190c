import { lazy } from 'react'
import { Route, Routes, useNavigate } from 'react-router-dom'
import { LockWatch } from '../features/lock/LockWatch.tsx'
import { importModule } from '../shared/lib/import-module.ts'
import { lazyPart } from '../shared/lib/lazy-part.tsx'
import { useDoubleEscape } from '../shared/lib/use-double-escape.ts'
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
  const navigate = useNavigate()
  useDoubleEscape(() => void navigate('/'))
  return (
    <LockWatch>
      {/* Inside the watch, so that a screen that fails does not stop the locking. */}
      <InnerBoundary>
        <Tooltips>
          <Routes>
            <Route path="/auth" element={<AuthScreen />} />
            <Route path="*" element={<SignedInRoutes />} />
          </Routes>
        </Tooltips>
      </InnerBoundary>
    </LockWatch>
  )
}
