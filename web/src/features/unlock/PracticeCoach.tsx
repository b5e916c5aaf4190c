import { IconButton } from '../../shared/ui/Button.tsx'
import { CloseIcon } from '../../shared/ui/icons.tsx'

const steps = ['Press + while the display shows 0.', 'Type your number.', 'Press =.']

export interface PracticeCoachProps {
  isEntering: boolean
  isTyped: boolean
  onClose: () => void
}

/** Says the next step of the first unlock, over the empty tape. */
export function PracticeCoach({ isEntering, isTyped, onClose }: PracticeCoachProps) {
  const step = isEntering ? (isTyped ? 2 : 1) : 0
  return (
    <aside
      aria-label="Practice"
      className="fixed inset-x-4 top-[max(4rem,env(safe-area-inset-top))] z-20 mx-auto flex max-w-sm items-start gap-2 rounded-2xl bg-ink py-2 pr-1 pl-4 text-canvas shadow-lg"
    >
      <p role="status" className="min-w-0 flex-1 py-2">
        <span className="block text-xs opacity-80">
          Step {step + 1} of {steps.length}
        </span>
        {steps[step]}
      </p>
      <IconButton label="Stop practicing" className="text-canvas hover:bg-canvas/20" onClick={onClose}>
        <CloseIcon />
      </IconButton>
    </aside>
  )
}
