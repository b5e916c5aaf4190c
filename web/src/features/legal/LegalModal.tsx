import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { deviceStorage } from '../../shared/lib/safe-storage.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { ErrorBoundary } from '../../shared/ui/ErrorBoundary.tsx'
import { Spinner } from '../../shared/ui/Spinner.tsx'

const termsFlag = 'calc.terms'

// Loaded on demand: the documents reveal the app, which the calculator's first chunk must not.
const load = () => import('./legal-documents.tsx')
// Retried without a reload, which would lose the calculation on screen.
const LegalDocument = lazy(async () => ({ default: (await load().catch(load)).LegalDocument }))

const titles = { privacy: 'Privacy Policy', terms: 'Terms of Use' } as const

type Kind = keyof typeof titles

/** Covers the screen until the terms have been accepted on this device. */
export function LegalModal() {
  const [isAccepted, setAccepted] = useState(() => deviceStorage.get(termsFlag) === '1')
  const [reading, setReading] = useState<Kind | null>(null)
  const accept = () => {
    deviceStorage.set(termsFlag, '1')
    setAccepted(true)
  }
  return (
    <Dialog
      open={!isAccepted}
      onOpenChange={() => undefined}
      title={reading ? titles[reading] : 'Welcome'}
      isFirm
    >
      {reading ? (
        <Reading kind={reading} onBack={() => setReading(null)} />
      ) : (
        <Offer onRead={setReading} onAccept={accept} />
      )}
    </Dialog>
  )
}

function Offer({ onRead, onAccept }: { onRead: (kind: Kind) => void; onAccept: () => void }) {
  return (
    <div className="space-y-3">
      <p className="text-ink-2">
        Before you begin, please read how your data is handled and the rules for using this app. You must be
        at least 18 years old.
      </p>
      <Button variant="secondary" className="w-full" onClick={() => onRead('privacy')}>
        {titles.privacy}
      </Button>
      <Button variant="secondary" className="w-full" onClick={() => onRead('terms')}>
        {titles.terms}
      </Button>
      <Button className="w-full" onClick={onAccept}>
        Accept and Continue
      </Button>
    </div>
  )
}

function Reading({ kind, onBack }: { kind: Kind; onBack: () => void }) {
  useEscape(onBack)
  return (
    <div className="space-y-4">
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
