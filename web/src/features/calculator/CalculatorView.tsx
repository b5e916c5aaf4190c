import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { cx } from '../../shared/lib/cx.ts'
import { copyText } from '../../shared/lib/copy-text.ts'
import { useSwipe } from '../../shared/lib/use-swipe.ts'
import { IconButton } from '../../shared/ui/Button.tsx'
import { DeleteIcon, EraseIcon } from '../../shared/ui/first-icons.ts'
import { NumberDisplay } from './Display.tsx'
import { readNumber } from './exact-number.ts'
import { noteUnder, shownNumber } from './format.ts'
import { Keypad } from './Keypad.tsx'
import { isUntouched } from './calculator-state.ts'
import type { CalculatorAction, CalculatorState, Operator } from './calculator-state.ts'
import { usePreferences } from '../device/preferences.ts'
import { shake } from './shake.ts'
import { Tape } from './Tape.tsx'
import type { TapeProps } from './Tape.tsx'
import { useClipboard } from './use-clipboard.ts'
import { useNotice } from './use-notice.ts'

export interface CalculatorViewProps {
  state: CalculatorState
  /** Replaces the number, which can then be neither copied nor pasted. */
  display?: ReactNode
  /** The operator whose key is lit. By default this is the operator that waits for its second number. */
  litOperator?: Operator | null | undefined
  /** The display shakes when this number of refused keys grows. */
  refusals?: number
  /** Whether something is running that a new page would interrupt. */
  isBusy?: boolean
  onKey: (action: CalculatorAction) => void
  onSwipe: () => void
  menu: ReactNode
  /** The hint stands next to the menu, where it covers nothing. */
  hint?: ReactNode
}

// A phone in landscape has no room for five rows of keys below a display, so display and keys are side by side.
const panelClass = cx(
  'flex h-full min-h-120 w-full max-w-105 flex-col bg-surface px-4',
  'pt-[max(8px,env(safe-area-inset-top))] pb-[max(20px,env(safe-area-inset-bottom))]',
  'sm:max-h-215 sm:rounded-[40px] sm:border sm:border-line sm:px-5 sm:pt-4 sm:pb-6 sm:shadow-xl',
  'tablet:max-h-270 tablet:max-w-140 tablet:px-7 tablet:pb-8',
  'beside:min-h-0 beside:max-w-225 beside:flex-row beside:gap-6 beside:rounded-none beside:border-0 beside:py-3 beside:shadow-none',
)

export function CalculatorView({
  state,
  display,
  litOperator = state.awaitingOperand ? state.pendingOperator : null,
  refusals = state.refusals,
  isBusy = false,
  onKey,
  onSwipe,
  menu,
  hint,
}: CalculatorViewProps) {
  const swipe = useSwipe(onSwipe)
  const { decimals, keepsHistory } = usePreferences()
  const shaking = useShaking(refusals)
  const [notice, notify] = useNotice()
  const number = shownNumber(state, decimals)
  const isTapeKept = keepsHistory || state.history.length === 0
  const isUnused = isUntouched(state) && isTapeKept && display === undefined && !isBusy

  const copy: TapeProps['onCopy'] = async (text, { clipboard, shown }) => {
    clipboard?.setData('text/plain', text)
    if (clipboard ?? (await copyText(text, shown))) notify('Copied')
    else notify('Could not copy: copy the selection by hand', 5000)
  }
  useClipboard({
    isEnabled: display === undefined,
    onCopy: (clipboard) => !state.error && void copy(number, { clipboard }),
    onPaste: (text) => {
      const pasted = readNumber(text)
      if (pasted !== null) return onKey({ insert: pasted })
      shake(shaking.current)
      notify('Not a number')
    },
  })

  return (
    <main
      data-calculator
      data-unused={isUnused || undefined}
      className="flex h-dvh justify-center overflow-y-auto bg-surface sm:items-center sm:bg-canvas sm:p-6 beside:bg-surface beside:p-0"
    >
      <h1 className="sr-only">Calculator</h1>
      <div className={panelClass}>
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <header className="-ml-2 flex min-h-11 items-start">
            {menu}
            {hint}
            <p role="status" className="ml-auto self-center px-2 text-sm text-ink-2 empty:px-0">
              {notice}
            </p>
          </header>
          <div className="flex min-h-0 flex-1 touch-pan-y touch-pinch-zoom flex-col" {...swipe}>
            <Tape history={state.history} onReuse={(insert) => onKey({ insert })} onCopy={copy} />
            <div ref={shaking}>
              {display ?? (
                <NumberDisplay
                  expression={state.expression}
                  display={number}
                  note={noteUnder(state, decimals)}
                  onLongPress={(shown) => !state.error && void copy(number, { shown })}
                />
              )}
            </div>
          </div>
          <EraseKeys state={state} onKey={onKey} notify={notify} />
        </div>
        <Keypad onKey={onKey} litOperator={litOperator} />
      </div>
    </main>
  )
}

function EraseKeys({
  state,
  onKey,
  notify,
}: Pick<CalculatorViewProps, 'state' | 'onKey'> & { notify: (text: string) => void }) {
  const clear = () => {
    onKey('clearHistory')
    notify('History cleared')
  }
  return (
    <div
      className="mb-2 flex justify-between tablet:mb-3 beside:mb-0"
      onMouseDown={(event) => event.preventDefault()}
    >
      {state.history.length > 0 && (
        <IconButton label="Clear history" className="touch-manipulation text-ink-2" onClick={clear}>
          <DeleteIcon />
        </IconButton>
      )}
      <IconButton
        label="Delete last digit"
        className="ml-auto touch-manipulation text-ink-2"
        onClick={() => onKey('backspace')}
      >
        <EraseIcon />
      </IconButton>
    </div>
  )
}

/** Returns a ref whose element shakes when `refusals` grows. */
function useShaking(refusals: number) {
  const element = useRef<HTMLDivElement>(null)
  const before = useRef(refusals)
  useEffect(() => {
    if (refusals > before.current) shake(element.current)
    before.current = refusals
  }, [refusals])
  return element
}
