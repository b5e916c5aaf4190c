import { useRef } from 'react'
import { cx } from '../../shared/lib/cx.ts'
import { useLongPress } from '../../shared/lib/use-long-press.ts'
import { formatNumbers } from './format.ts'

/**
 * Returns a smaller size for a longer number, so that it fits the available width (cqw) and height (dvh) even in a wide
 * font.
 */
function sizeFor(length: number): string {
  if (length <= 6) return 'text-[min(24cqw,16dvh)]'
  if (length <= 8) return 'text-[min(18cqw,14dvh)]'
  if (length <= 11) return 'text-[min(14cqw,12dvh)]'
  if (length <= 16) return 'text-[min(10cqw,12dvh)]'
  return 'text-[min(7.5cqw,12dvh)]'
}
/**
 * A text without digits gets the size of a number with this many characters, because words are narrower than numbers.
 */
const wordLength = 14

const lineClass = 'min-h-7 w-full overflow-hidden text-ink-2'
const longLine = 28
const resultClass =
  'flex h-[min(96px,18dvh)] items-end justify-end leading-none font-light tabular-nums tablet:h-[min(8rem,13dvh)]'

export interface NumberDisplayProps {
  expression: string
  display: string
  /** This line is shown under the number in a weaker colour. */
  note?: string
  /** Receives the element that shows the number. */
  onLongPress?: (shown: HTMLElement | null) => void
}

const ignore = () => undefined

export function NumberDisplay({ expression, display, note, onLongPress = ignore }: NumberDisplayProps) {
  // A mouse does not need the long press, because it can select the text.
  const shown = useRef<HTMLOutputElement>(null)
  const { isHeld, handlers } = useLongPress(() => onLongPress(shown.current), { mouse: 'nothing' })
  const written = formatNumbers(display)
  const line = formatNumbers(expression)
  return (
    <div
      className={cx(
        '@container rounded-2xl px-2 transition duration-100 [-webkit-touch-callout:none] pointer-coarse:select-none',
        isHeld && 'bg-surface-2',
      )}
      {...handlers}
    >
      {/* Dots show that the beginning of a long line is cut off; otherwise the rest would look like a whole number. */}
      <p dir="rtl" className={cx(lineClass, 'truncate', line.length > longLine ? 'text-sm/7' : 'text-lg')}>
        <bdi dir="ltr">{line}</bdi>
      </p>
      <output
        ref={shown}
        aria-label="Result"
        aria-live="polite"
        className={cx(resultClass, sizeFor(/\d/.test(written) ? written.length : wordLength))}
      >
        {written}
      </output>
      <p className="min-h-7 truncate text-right text-lg text-ink-2 tabular-nums">{note}</p>
    </div>
  )
}

export interface HiddenDisplayProps {
  count: number
  /** A screen reader announces the entry by this name. */
  label: string
  caption?: string | undefined
  isChecking?: boolean
}

/** Shows and announces how many digits were typed, never the digits. */
export function HiddenDisplay({ count, label, caption, isChecking = false }: HiddenDisplayProps) {
  return (
    <div data-private className="@container px-2">
      <p className={cx(lineClass, 'text-right text-lg')}>{caption}</p>
      <output
        aria-label={label}
        aria-live="polite"
        aria-busy={isChecking}
        className={cx(
          resultClass,
          'pb-3 text-3xl tracking-widest',
          isChecking && 'opacity-60 motion-safe:animate-pulse',
        )}
      >
        <span aria-hidden>{'•'.repeat(count)}</span>
        <span className="sr-only">{count === 1 ? '1 digit' : `${count} digits`}</span>
      </output>
      <p className="min-h-7" />
    </div>
  )
}
