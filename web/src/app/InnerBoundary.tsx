import type { ReactNode } from 'react'
import { openNewest } from '../features/device/newest-page.ts'
import { Button } from '../shared/ui/Button.tsx'
import { Card, CenteredPage } from '../shared/ui/Card.tsx'
import { ErrorBoundary } from '../shared/ui/ErrorBoundary.tsx'

/**
 * Shows an error page for every address but the calculator's. Its button loads a new page, because only that also
 * retries a module that could not be loaded.
 */
export function InnerBoundary({ children }: { children: ReactNode }) {
  return <ErrorBoundary fallback={<FailedPage />}>{children}</ErrorBoundary>
}

/** Replaces a screen that could not be loaded or rendered. */
export function FailedPage() {
  return (
    <CenteredPage>
      <Card>
        <h1 className="text-lg font-semibold">Something went wrong</h1>
        <p className="mt-1 text-ink-2">This page could not be opened. Check your connection and try again.</p>
        <Button className="mt-4 w-full" onClick={() => void openNewest()}>
          Retry
        </Button>
        <Button variant="secondary" className="mt-2 w-full" onClick={() => window.location.replace('/')}>
          Back to the calculator
        </Button>
      </Card>
    </CenteredPage>
  )
}
