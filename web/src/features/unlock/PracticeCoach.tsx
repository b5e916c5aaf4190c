import { CloseIcon } from '../../shared/ui/first-icons.ts'
import type { NewToast } from '../../shared/ui/toasts.ts'

const steps = ['Press + while the display shows 0.', 'Type your number.', 'Press =.']

export interface PracticeCoachProps {
  isEntering: boolean
  isTyped: boolean
  /** This notice is shown above the step until its time is over. */
  notice: NewToast | null
  onClose: () => void
}

/** Shows the next step of a practised unlock, next to the menu. */
export function PracticeCoach({ isEntering, isTyped, notice, onClose }: PracticeCoachProps) {
  const step = isEntering ? (isTyped ? 2 : 1) : 0
  return (
    <aside
      aria-label="Practice"
      className="ml-1 flex min-w-0 flex-1 items-start rounded-2xl bg-ink pl-3 text-canvas"
    >
      <div className="min-w-0 flex-1 py-1.5 text-sm">
        <p aria-live="polite" className="text-xs">
          {notice && [notice.title, notice.description].filter(Boolean).join('. ')}
        </p>
        <p role="status">
          <span className="block text-xs opacity-80">
            Step {step + 1} of {steps.length}
          </span>
          {steps[step]}
        </p>
      </div>
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
