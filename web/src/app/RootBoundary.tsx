import type { ReactNode } from 'react'
import { PlainCalculator } from '../features/calculator/PlainCalculator.tsx'
import { ErrorBoundary } from '../shared/ui/ErrorBoundary.tsx'

/** Whatever fails, the page is still a calculator. */
export function RootBoundary({ children }: { children: ReactNode }) {
  return <ErrorBoundary fallback={<PlainCalculator />}>{children}</ErrorBoundary>
}
