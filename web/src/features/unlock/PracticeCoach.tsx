import { CloseIcon } from '../../shared/ui/icons.tsx'

const steps = ['Press + while the display shows 0.', 'Type your number.', 'Press =.']

export interface PracticeCoachProps {
  isEntering: boolean
  isTyped: boolean
  onClose: () => void
}

/** Says the next step of the first unlock, beside the menu. */
export function PracticeCoach({ isEntering, isTyped, onClose }: PracticeCoachProps) {
  const step = isEntering ? (isTyped ? 2 : 1) : 0
  return (
    <aside
      aria-label="Practice"
      className="fixed top-[max(0.5rem,env(safe-area-inset-top))] right-3 left-16 z-20 flex max-w-sm sm:inset-x-4 sm:mx-auto items-start gap-2 rounded-2xl bg-ink py-2 pr-1 pl-4 text-canvas shadow-lg"
    >
      <p role="status" className="min-w-0 flex-1 py-2">
        <span className="block text-xs opacity-80">
          Step {step + 1} of {steps.length}
        </span>
        {steps[step]}
      </p>
      <button
        type="button"
        aria-label="Stop practicing"
        className="inline-flex size-11 shrink-0 items-center justify-center rounded-full hover:bg-canvas/20 focus-visible:outline-canvas"
        onClick={onClose}
      >
        <CloseIcon />
      </button>
    </aside>
  )
}
