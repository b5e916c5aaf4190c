import type { ReactNode } from 'react'
import { cx } from '../../shared/lib/cx.ts'
import { useSwipe } from '../../shared/lib/use-swipe.ts'
import { IconButton } from '../../shared/ui/Button.tsx'
import { NumberDisplay } from './Display.tsx'
import { withDecimals } from './format.ts'
import { Keypad } from './Keypad.tsx'
import type { CalculatorKey, CalculatorState } from './machine.ts'
import { usePreferences } from './preferences.ts'
import { Tape } from './Tape.tsx'

export interface CalculatorViewProps {
  state: CalculatorState
  /** Takes the place of the number. */
  display?: ReactNode
  onKey: (key: CalculatorKey) => void
  onSwipe: () => void
  menu: ReactNode
}

// A phone in landscape has no room for five rows below a display: there, both are side by side.
const panelClass = cx(
  'flex h-full min-h-[30rem] w-full max-w-[420px] flex-col bg-surface px-4',
  'pt-[max(0.5rem,env(safe-area-inset-top))] pb-[max(1.25rem,env(safe-area-inset-bottom))]',
  'sm:max-h-[860px] sm:rounded-[2.5rem] sm:border sm:border-line sm:px-5 sm:pt-4 sm:pb-6 sm:shadow-xl',
  '[@media(min-width:560px)_and_(max-height:500px)]:min-h-0 [@media(min-width:560px)_and_(max-height:500px)]:max-w-[820px] [@media(min-width:560px)_and_(max-height:500px)]:flex-row [@media(min-width:560px)_and_(max-height:500px)]:gap-6 [@media(min-width:560px)_and_(max-height:500px)]:rounded-none [@media(min-width:560px)_and_(max-height:500px)]:border-0 [@media(min-width:560px)_and_(max-height:500px)]:py-3 [@media(min-width:560px)_and_(max-height:500px)]:shadow-none',
)

export function CalculatorView({ state, display, onKey, onSwipe, menu }: CalculatorViewProps) {
  const swipe = useSwipe(onSwipe)
  const { decimals } = usePreferences()
  return (
    <main
      data-calculator
      className="flex h-dvh justify-center overflow-y-auto bg-surface sm:items-center sm:bg-canvas sm:p-6 [@media(min-width:560px)_and_(max-height:500px)]:p-0"
    >
      <h1 className="sr-only">Calculator</h1>
      <div className={panelClass}>
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <header className="-ml-2 flex min-h-11">{menu}</header>
          <div className="flex min-h-0 flex-1 touch-pan-y touch-pinch-zoom flex-col" {...swipe}>
            <Tape history={state.history} />
            {display ?? (
              <NumberDisplay
                expression={state.expression}
                display={state.exact === null ? state.display : withDecimals(state.display, decimals)}
              />
            )}
          </div>
          <div className="mb-3 flex justify-end border-b border-line py-1">
            <IconButton
              label="Delete last digit"
              className="touch-manipulation"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onKey('backspace')}
            >
              <EraseIcon />
            </IconButton>
          </div>
        </div>
        <Keypad onKey={onKey} />
      </div>
    </main>
  )
}

const EraseIcon = () => (
  <svg
    viewBox="0 0 24 24"
    className="size-6 fill-none stroke-current stroke-[1.8] text-ink-2"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden
  >
    <path d="M8.5 5.5H20a1 1 0 011 1v11a1 1 0 01-1 1H8.500L3 12zM12 9.500l5 5M17 9.500l-5 5" />
  </svg>
)
