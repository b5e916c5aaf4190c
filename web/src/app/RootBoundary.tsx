import type { ReactNode } from 'react'
import { PlainCalculator } from '../features/calculator/PlainCalculator.tsx'
import { ErrorBoundary } from '../shared/ui/ErrorBoundary.tsx'

/** Shows a plain calculator when the app cannot be rendered. */
export function RootBoundary({ children }: { children: ReactNode }) {
  return <ErrorBoundary fallback={<PlainCalculator />}>{children}</ErrorBoundary>
}
