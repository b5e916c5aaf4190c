import { useEffect, useRef } from 'react'
import { formatNumbers, withDecimals } from './format.ts'
import type { TapeEntry } from './machine.ts'
import { usePreferences } from './preferences.ts'

/** Earlier calculations, the newest at the bottom next to the display. */
export function Tape({ history }: { history: TapeEntry[] }) {
  const { decimals } = usePreferences()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight
  }, [history.length])
  const isEmpty = history.length === 0
  return (
    <div
      ref={box}
      className="flex min-h-0 flex-1 flex-col touch-pan-y touch-pinch-zoom overflow-y-auto overscroll-contain px-2 focus-visible:-outline-offset-3"
      {...(isEmpty ? {} : { role: 'region', 'aria-label': 'History', tabIndex: 0 })}
    >
      <ol className="mt-auto space-y-2 py-2 text-right">
        {history.map(({ expression, result }, index) => (
          <li key={index} className="break-words">
            <span className="block text-sm text-ink-2">{formatNumbers(expression)} =</span>
            <span className="block text-xl text-ink tabular-nums">
              {formatNumbers(withDecimals(result, decimals))}
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}
