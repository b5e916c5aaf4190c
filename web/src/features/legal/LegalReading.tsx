import { lazy, Suspense, useEffect, useEffectEvent } from 'react'
import { Button } from '../../shared/ui/Button.tsx'
import { ErrorBoundary } from '../../shared/ui/ErrorBoundary.tsx'
import { Spinner } from '../../shared/ui/Spinner.tsx'

// The documents are loaded on demand, because they reveal the app and the calculator's first chunk must not.
const loadWhole = () => import('./legal-documents.tsx')
const loadOfCalculator = () => import('./calculator-documents.tsx')
// A failed load is repeated here and not by `importModule`, which may reload the page and so lose the calculation on
// the screen.
const documents = {
  whole: lazy(async () => ({ default: (await loadWhole().catch(loadWhole)).LegalDocument })),
  calculator: lazy(async () => ({
    default: (await loadOfCalculator().catch(loadOfCalculator)).CalculatorDocument,
  })),
}

export const legalTitles = { privacy: 'Privacy Policy', terms: 'Terms of Use' } as const
export type LegalKind = keyof typeof legalTitles
/** `calculator` leaves out everything about accounts, for a locked phone in discreet mode. */
export type LegalScope = keyof typeof documents

interface LegalReadingProps {
  kind: LegalKind
  scope: LegalScope
  onBack: () => void
}

/** Shows one of the two legal documents, with a Back button at its end. */
export function LegalReading({ kind, scope, onBack }: LegalReadingProps) {
  const LegalDocument = documents[scope]
  useEscape(onBack)
  return (
    // A dialog that opens focuses this element and not the first link in the middle of the text.
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

/** Calls back on Escape, and keeps the browser from closing the dialog. */
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
