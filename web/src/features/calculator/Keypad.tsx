import { cx } from '../../shared/lib/cx.ts'
import { type KeyLook, keypad } from './keypad-layout.ts'
import type { CalculatorKey, Operator } from './calculator-state.ts'

const looks: Record<KeyLook, string> = {
  digit: 'bg-surface-2',
  function: 'bg-line',
  operator: 'bg-operator/15 text-operator',
  equals: 'bg-operator text-operator-ink',
}
const litLook =
  'bg-operator text-operator-ink forced-colors:bg-[Highlight] forced-colors:text-[HighlightText] forced-colors:forced-color-adjust-none'

export interface KeypadProps {
  onKey: (key: CalculatorKey) => void
  /** The key of this operator looks pressed. */
  litOperator: Operator | null
}

export function Keypad({ onKey, litOperator }: KeypadProps) {
  return (
    <div
      role="group"
      aria-label="Keypad"
      className="grid grid-cols-4 gap-3 tablet:h-[min(52dvh,41rem)] tablet:grid-rows-5 tablet:gap-4 short:gap-2 beside:flex-1 beside:grid-rows-5"
      // A clicked key takes no focus, because Enter on the keyboard would then press that key instead of equals.
      onMouseDown={(event) => event.preventDefault()}
    >
      {keypad.map(({ key, look, wide }) => (
        <button
          key={key}
          type="button"
          aria-pressed={look === 'operator' ? key === litOperator : undefined}
          onClick={() => onKey(key)}
          className={cx(
            // The border is visible only if the system replaces all colours (forced colours).
            'flex touch-manipulation items-center rounded-full border border-transparent text-3xl leading-none select-none tablet:text-4xl short:text-2xl',
            'transition duration-100 hover:brightness-95 active:scale-95 active:brightness-85 active:duration-0',
            'dark:hover:brightness-115 dark:active:brightness-140',
            wide
              ? 'col-span-2 justify-start pl-[calc((50%-6px)/2-0.5ch)]'
              : 'aspect-square justify-center short:aspect-[3/2] tablet:aspect-auto beside:aspect-auto',
            key === litOperator ? litLook : looks[look],
          )}
        >
          {key}
        </button>
      ))}
    </div>
  )
}
