import { Dialog } from '../../shared/ui/Dialog.tsx'
import { LegalReading, legalTitles } from './LegalReading.tsx'
import type { LegalKind } from './LegalReading.tsx'

/** A legal document over the present screen; closed without one. */
export function LegalDialog({ reading, onClose }: { reading: LegalKind | null; onClose: () => void }) {
  return (
    <Dialog open={reading !== null} onOpenChange={onClose} title={reading ? legalTitles[reading] : ''}>
      {reading && <LegalReading kind={reading} onBack={onClose} />}
    </Dialog>
  )
}
