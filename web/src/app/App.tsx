import { Suspense } from 'react'
import { Provider } from 'react-redux'
import { Route, Routes } from 'react-router-dom'
import { LockGate } from '../features/lock/LockGate.tsx'
import { AuthProvider } from '../features/session/AuthProvider.tsx'
import { CalculatorScreen } from '../features/unlock/CalculatorScreen.tsx'
import { FullPageSpinner } from '../shared/ui/Spinner.tsx'
import { Toaster } from '../shared/ui/Toaster.tsx'
import { AppRouter } from './AppRouter.tsx'
import { InnerBoundary } from './InnerBoundary.tsx'
import { InnerRoutes } from './inner-routes-part.ts'
import { ScreenToasts } from './ScreenToasts.tsx'
import { store } from './store.ts'

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
