import { EraseIcon } from '../../shared/ui/first-icons.ts'

const keys = ['7', '8', '9', '4', '5', '6', '1', '2', '3', '', '0', 'erase']
const keyClass =
  'inline-flex min-h-12 touch-manipulation items-center justify-center rounded-full bg-surface-2 text-2xl select-none transition duration-100 active:scale-95 active:brightness-85 dark:active:brightness-140'

/** Writes into a field at its caret, as typing would. */
export function pressInto(field: HTMLInputElement, key: string): void {
  field.focus({ preventScroll: true })
  const start = field.selectionStart ?? field.value.length
  const end = field.selectionEnd ?? start
  if (key !== 'erase') field.setRangeText(key, start, end, 'end')
  else field.setRangeText('', start === end ? Math.max(0, start - 1) : start, end, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Shows digit keys in the places that they have on the calculator. Only touch screens show them. */
export function PinPad({ onKey }: { onKey: (key: string) => void }) {
  return (
    <div
      role="group"
      aria-label="Keypad"
      className="hidden grid-cols-3 gap-2 pointer-coarse:grid"
      // A pressed key takes no focus from the field that it writes into.
      onMouseDown={(event) => event.preventDefault()}
    >
      {keys.map((key) =>
        key === '' ? (
          <span key={key} />
        ) : (
          <button
            key={key}
            type="button"
            className={keyClass}
            aria-label={key === 'erase' ? 'Delete last digit' : undefined}
            onClick={() => onKey(key)}
          >
            {key === 'erase' ? <EraseIcon /> : key}
          </button>
        ),
      )}
    </div>
  )
}
