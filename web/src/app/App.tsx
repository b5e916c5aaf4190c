import { lazy, Suspense } from 'react'
import { Provider } from 'react-redux'
import { Outlet, Route, Routes } from 'react-router-dom'
import { LockGate } from '../features/lock/LockGate.tsx'
import { AuthProvider } from '../features/session/AuthProvider.tsx'
import { CalculatorScreen } from '../features/unlock/CalculatorScreen.tsx'
import { importModule } from '../shared/lib/import-module.ts'
import { FullPageSpinner } from '../shared/ui/Spinner.tsx'
import { Toaster } from '../shared/ui/Toaster.tsx'
import { AppRouter } from './AppRouter.tsx'
import { InnerBoundary } from './InnerBoundary.tsx'
import { InnerRoutes } from './inner-routes-part.ts'
import { ScreenToasts } from './ScreenToasts.tsx'
import { store } from './store.ts'

const VerifyEmailScreen = lazy(async () => ({
  default: (await importModule(() => import('../features/mail-links/VerifyEmailScreen.tsx')))
    .VerifyEmailScreen,
}))
const ResetPasswordScreen = lazy(async () => ({
  default: (await importModule(() => import('../features/mail-links/ResetPasswordScreen.tsx')))
    .ResetPasswordScreen,
}))

export interface AppProps {
  /** The screen that was asked for on the first page; without it, the address decides. */
  startAt?: string
}

export function App({ startAt }: AppProps) {
  return (
    <Provider store={store}>
      <AppRouter {...(startAt ? { startAt } : {})}>
        <ScreenToasts />
        <AuthProvider>
          <Suspense fallback={<FullPageSpinner />}>
            <Routes>
              <Route path="/" element={<CalculatorScreen />} />
              <Route path="/calculator" element={<CalculatorScreen />} />
              {/* Outside of everything that locks: a link of a mail neither locks nor unlocks. */}
              <Route element={<MailLinkPages />}>
                <Route path="/verify-email" element={<VerifyEmailScreen />} />
                <Route path="/reset-password" element={<ResetPasswordScreen />} />
              </Route>
              <Route
                path="*"
                element={
                  <LockGate>
                    <InnerBoundary>
                      <InnerRoutes />
                    </InnerBoundary>
                  </LockGate>
                }
              />
            </Routes>
          </Suspense>
        </AuthProvider>
      </AppRouter>
      <Toaster />
    </Provider>
  )
}

function MailLinkPages() {
  return (
    <InnerBoundary>
      <Outlet />
    </InnerBoundary>
  )
}
