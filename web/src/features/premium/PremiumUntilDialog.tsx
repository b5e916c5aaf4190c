import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { longDate } from './long-date.ts'

/** What an upgrade or a code has changed. */
export function PremiumUntilDialog({ until, onClose }: { until: string; onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title="You have Premium">
      <div className="space-y-4">
        <p role="status">Unlimited until {longDate(until)}.</p>
        <Button className="w-full" autoFocus onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
