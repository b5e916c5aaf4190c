import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { CheckIcon } from '../../shared/ui/icons.tsx'
import { dateText } from '../../shared/lib/date-text.ts'

/** Shows how long premium lasts after an upgrade or a code. */
export function PremiumUntilDialog({ until, onClose }: { until: string; onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title="You have Premium">
      <div className="space-y-4">
        <p role="status" className="flex items-center gap-3 text-row">
          <CheckIcon className="shrink-0 text-ok" />
          Unlimited until {dateText(until)}.
        </p>
        <Button className="w-full" autoFocus onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
