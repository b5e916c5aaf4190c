import { cx } from '../../shared/lib/cx.ts'
import { formatNumbers } from './format.ts'

/** Smaller for longer numbers, so that they fit the available width (cqw), also in a wide font. */
function sizeFor(length: number): string {
  if (length <= 6) return 'text-[min(4.5rem,24cqw)]'
  if (length <= 8) return 'text-[min(3.75rem,18cqw)]'
  if (length <= 11) return 'text-[min(3rem,14cqw)]'
  if (length <= 16) return 'text-[min(2.25rem,10cqw)]'
  return 'text-[min(1.5rem,7.5cqw)]'
}

const lineClass = 'min-h-7 w-full overflow-hidden text-ink-2'
const longLine = 28
const resultClass = 'flex h-20 items-end justify-end leading-none font-light tabular-nums text-ink'

export function NumberDisplay({ expression, display }: { expression: string; display: string }) {
  const written = formatNumbers(display)
  const line = formatNumbers(expression)
  return (
    <div className="@container px-2">
      {/* When it is too long, dots replace its beginning: a number without its first digits would be a different one. */}
      <p dir="rtl" className={cx(lineClass, 'truncate', line.length > longLine ? 'text-sm/7' : 'text-lg')}>
        <bdi dir="ltr">{line}</bdi>
      </p>
      <output aria-label="Result" aria-live="polite" className={cx(resultClass, sizeFor(written.length))}>
        {written}
      </output>
    </div>
  )
}

export interface HiddenDisplayProps {
  /** How many characters were typed. */
  count: number
  /** What is announced as the name of the entry. */
  label: string
  caption?: string | undefined
  isChecking?: boolean
}

/** Shows and announces how many digits were typed, never which. */
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
    </div>
  )
}
