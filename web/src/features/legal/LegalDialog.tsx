import { Dialog } from '../../shared/ui/Dialog.tsx'
import { LegalReading, legalTitles } from './LegalReading.tsx'
import type { LegalKind, LegalScope } from './LegalReading.tsx'

interface LegalDialogProps {
  reading: LegalKind | null
  scope?: LegalScope
  onClose: () => void
}

/** Shows a legal document over the present screen. The dialog is closed while `reading` is null. */
export function LegalDialog({ reading, scope = 'whole', onClose }: LegalDialogProps) {
  return (
    <Dialog open={reading !== null} onOpenChange={onClose} title={reading ? legalTitles[reading] : ''}>
      {reading && <LegalReading kind={reading} scope={scope} onBack={onClose} />}
    </Dialog>
  )
}
