import { lazy, Suspense } from 'react'
import { Provider } from 'react-redux'
import { Route, Routes } from 'react-router-dom'
import { Door } from '../features/lock/Door.tsx'
import { AuthProvider } from '../features/session/AuthProvider.tsx'
import { CalculatorScreen } from '../features/unlock/CalculatorScreen.tsx'
import { importModule } from '../shared/lib/import-module.ts'
import { FullPageSpinner } from '../shared/ui/Spinner.tsx'
import { Toaster } from '../shared/ui/Toaster.tsx'
import { AppRouter } from './AppRouter.tsx'
import { InnerBoundary } from './InnerBoundary.tsx'
import { ScreenToasts } from './ScreenToasts.tsx'
import { store } from './store.ts'

// The entry knows the calculator and nothing else: every other address is behind this one lazy door.
const InnerRoutes = lazy(async () => ({
  default: (await importModule(() => import('./InnerRoutes.tsx'))).InnerRoutes,
}))

export function App() {
  return (
    <Provider store={store}>
      <AppRouter>
        <ScreenToasts />
        <AuthProvider>
          <Suspense fallback={<FullPageSpinner />}>
            <Routes>
              <Route path="/" element={<CalculatorScreen />} />
              <Route path="/calculator" element={<CalculatorScreen />} />
              <Route
                path="*"
                element={
                  <Door>
                    <InnerBoundary>
                      <InnerRoutes />
                    </InnerBoundary>
                  </Door>
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
