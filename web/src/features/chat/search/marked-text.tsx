import type { ReactNode } from 'react'
import { cx } from '../../../shared/lib/cx.ts'
import { findAll } from './fold-text.ts'

/** Returns a text with its matches marked; those of the message to which the search has led stand out. */
export function markedText(text: string, needle: string, isCurrent: boolean): ReactNode {
  const parts: ReactNode[] = []
  let end = 0
  for (const [from, to] of findAll(text, needle)) {
    parts.push(
      text.slice(end, from),
      <mark
        key={from}
        className={cx('rounded-sm', isCurrent ? 'bg-accent text-accent-ink' : 'bg-accent/25 text-inherit')}
      >
        {text.slice(from, to)}
      </mark>,
    )
    end = to
  }
  return parts.length === 0 ? text : [...parts, text.slice(end)]
}
