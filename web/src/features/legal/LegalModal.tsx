import { useState } from 'react'
import { deviceStorage } from '../device/safe-storage.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { legalScope } from './legal-scope.ts'
import { LegalReading, legalTitles as titles } from './LegalReading.tsx'
import type { LegalKind } from './LegalReading.tsx'

const termsFlag = 'calc.terms'

/** Covers the screen until the terms have been accepted on this device. */
export function LegalModal() {
  const [isAccepted, setAccepted] = useState(() => deviceStorage.get(termsFlag) === '1')
  const [reading, setReading] = useState<LegalKind | null>(null)
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
        <LegalReading kind={reading} scope={legalScope()} onBack={() => setReading(null)} />
      ) : (
        <Offer onRead={setReading} onAccept={accept} />
      )}
    </Dialog>
  )
}

function Offer({ onRead, onAccept }: { onRead: (kind: LegalKind) => void; onAccept: () => void }) {
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
