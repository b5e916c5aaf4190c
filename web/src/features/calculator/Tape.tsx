import { useEffect, useRef } from 'react'
import type { KeyboardEvent } from 'react'
import { cx } from '../../shared/lib/cx.ts'
import { useLongPress } from '../../shared/lib/use-long-press.ts'
import { formatNumbers, withDecimals } from './format.ts'
import type { TapeEntry } from './calculator-state.ts'
import { usePreferences } from '../device/preferences.ts'

export interface TapeProps {
  history: TapeEntry[]
  onReuse: (result: string) => void
  /** `clipboard` is set if the keyboard's copy command is used; otherwise `shown` is the element with the result. */
  onCopy: (result: string, by: { clipboard?: DataTransfer; shown?: HTMLElement | null }) => Promise<void>
}

/** Shows earlier calculations, the newest at the bottom next to the display. */
export function Tape({ history, onReuse, onCopy }: TapeProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight
  }, [history.length])
  const isEmpty = history.length === 0
  return (
    <div
      ref={box}
      className="flex min-h-0 flex-1 touch-pan-y touch-pinch-zoom flex-col overflow-y-auto overscroll-contain [mask-image:linear-gradient(transparent,black_1rem)]"
      {...(isEmpty ? {} : { role: 'region', 'aria-label': 'History' })}
    >
      {/* A tapped line takes no focus, as with a key: Enter still means equals, and copying still copies the number. */}
      <ol className="mt-auto pt-4 pb-1" onKeyDown={moveFocus} onMouseDown={(event) => event.preventDefault()}>
        {history.map((entry, index) => (
          <TapeLine
            key={index}
            entry={entry}
            isLast={index === history.length - 1}
            onReuse={onReuse}
            onCopy={onCopy}
          />
        ))}
      </ol>
    </div>
  )
}

interface TapeLineProps extends Pick<TapeProps, 'onReuse' | 'onCopy'> {
  entry: TapeEntry
  isLast: boolean
}

function TapeLine({ entry: { expression, result }, isLast, onReuse, onCopy }: TapeLineProps) {
  const { decimals } = usePreferences()
  const shown = withDecimals(result, decimals)
  const written = useRef<HTMLSpanElement>(null)
  const { isHeld, handlers } = useLongPress(() => onCopy(shown, { shown: written.current }))
  return (
    <li>
      <button
        type="button"
        tabIndex={isLast ? 0 : -1}
        data-held={isHeld || undefined}
        {...handlers}
        onClick={() => onReuse(result)}
        onCopy={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void onCopy(shown, { clipboard: event.clipboardData })
        }}
        className={cx(
          'block min-h-11 w-full touch-pan-y touch-pinch-zoom rounded-xl border border-transparent px-2 py-1 text-right break-words transition duration-100 select-none [-webkit-touch-callout:none]',
          'hover:bg-surface-2 data-held:bg-surface-2 focus-visible:-outline-offset-2',
        )}
      >
        <span className="block text-sm text-ink-2 tablet:text-base">{formatNumbers(expression)} =</span>
        <span ref={written} className="block text-xl tabular-nums tablet:text-2xl">
          {formatNumbers(shown)}
        </span>
      </button>
    </li>
  )
}

/** Tab reaches only the newest line; the arrow keys reach the others. */
function moveFocus(event: KeyboardEvent<HTMLOListElement>) {
  const line = document.activeElement?.closest('li')
  const next = { ArrowUp: line?.previousElementSibling, ArrowDown: line?.nextElementSibling }[event.key]
  if (!next) return
  event.preventDefault()
  next.querySelector('button')?.focus()
}
