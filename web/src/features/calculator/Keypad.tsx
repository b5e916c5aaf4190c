import { cx } from '../../shared/lib/cx.ts'
import { type KeyLook, keypad } from './keypad-layout.ts'
import type { CalculatorKey } from './machine.ts'

const looks: Record<KeyLook, string> = {
  digit: 'bg-surface-2 text-ink',
  function: 'bg-line text-ink',
  operator: 'bg-operator/15 text-operator',
  equals: 'bg-operator text-operator-ink',
}

export function Keypad({ onKey }: { onKey: (key: CalculatorKey) => void }) {
  return (
    <div
      role="group"
      aria-label="Keypad"
      className="grid grid-cols-4 gap-3 [@media(max-height:600px)]:gap-2 [@media(min-width:560px)_and_(max-height:500px)]:flex-1 [@media(min-width:560px)_and_(max-height:500px)]:grid-rows-5"
      // A clicked key takes no focus: Enter on the keyboard still means equals.
      onMouseDown={(event) => event.preventDefault()}
    >
      {keypad.map(({ key, name, look, wide }) => (
        <button
          key={key}
          type="button"
          aria-label={name}
          onClick={() => onKey(key)}
          className={cx(
            'flex touch-manipulation items-center rounded-full text-3xl font-normal select-none',
            'transition duration-150 hover:brightness-95 active:scale-95 active:brightness-85 active:duration-0',
            'dark:hover:brightness-115 dark:active:brightness-140',
            wide
              ? 'col-span-2 justify-start pl-[calc((50%-0.375rem)/2-0.5ch)]'
              : 'aspect-square justify-center [@media(max-height:600px)]:aspect-[3/2] [@media(min-width:560px)_and_(max-height:500px)]:aspect-auto',
            looks[look],
          )}
        >
          <span aria-hidden>{key}</span>
        </button>
      ))}
    </div>
  )
}
