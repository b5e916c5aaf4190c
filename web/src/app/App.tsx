import { Suspense } from 'react'
import { Provider } from 'react-redux'
import { Outlet, Route, Routes } from 'react-router-dom'
import { LockGate } from '../features/session/LockGate.tsx'
import { AuthProvider } from '../features/session/AuthProvider.tsx'
import { CalculatorScreen } from '../features/unlock/CalculatorScreen.tsx'
import { FullPageSpinner } from '../shared/ui/Spinner.tsx'
import { PageContext } from '../page.ts'
import type { Page } from '../page.ts'
import { Toaster } from '../shared/ui/Toaster.tsx'
import { AppRouter } from './AppRouter.tsx'
import { InnerBoundary } from './InnerBoundary.tsx'
import {
  importNextScreen,
  InnerRoutes,
  ResetPasswordScreen,
  VerifyEmailScreen,
} from './chunks/before-sign-in.ts'
import { ScreenToasts } from './ScreenToasts.tsx'

export interface AppProps {
  page: Page
  /** The path of the first screen, if one was requested before the app started; without it, the address decides. */
  startAt?: string
}

export function App({ page, startAt }: AppProps) {
  return (
    <PageContext value={page}>
      <Provider store={page.store}>
        <AppRouter {...(startAt ? { startAt } : {})}>
          <ScreenToasts />
          <AuthProvider>
            <Suspense fallback={<FullPageSpinner />}>
              <Routes>
                <Route path="/" element={<CalculatorScreen importNext={importNextScreen} />} />
                <Route path="/calculator" element={<CalculatorScreen importNext={importNextScreen} />} />
                {/* These pages are outside of everything that locks, because a mail link neither locks nor unlocks. */}
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
    </PageContext>
  )
}

function MailLinkPages() {
  return (
    <InnerBoundary>
      <Outlet />
    </InnerBoundary>
  )
}
