import { lazy, Suspense, useEffect, useEffectEvent } from 'react'
import { Button } from '../../shared/ui/Button.tsx'
import { ErrorBoundary } from '../../shared/ui/ErrorBoundary.tsx'
import { Spinner } from '../../shared/ui/Spinner.tsx'

// Loaded on demand: the documents reveal the app, which the calculator's first chunk must not.
const load = () => import('./legal-documents.tsx')
// Retried without a reload, which would lose the calculation on screen.
const LegalDocument = lazy(async () => ({ default: (await load().catch(load)).LegalDocument }))

export const legalTitles = { privacy: 'Privacy Policy', terms: 'Terms of Use' } as const
export type LegalKind = keyof typeof legalTitles

/** One of the two legal documents, with a way back at its end. */
export function LegalReading({ kind, onBack }: { kind: LegalKind; onBack: () => void }) {
  useEscape(onBack)
  return (
    // A dialog that opens focuses this, and not the first link in the middle of the text.
    <div className="space-y-4" tabIndex={-1}>
      <ErrorBoundary fallback={<p role="alert">This could not be loaded.</p>}>
        <Suspense fallback={<Spinner />}>
          <LegalDocument kind={kind} />
        </Suspense>
      </ErrorBoundary>
      <Button className="w-full" onClick={onBack}>
        Back
      </Button>
    </div>
  )
}

/** Calls back in place of what the browser does at Escape. */
function useEscape(onEscape: () => void): void {
  const escape = useEffectEvent(onEscape)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      escape()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
