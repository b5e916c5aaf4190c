import { useId } from 'react'
import type { TextareaHTMLAttributes } from 'react'
import type { TextLength } from '../lib/text-length.ts'
import { LengthNote } from './LengthNote.tsx'
import { inputClass } from './TextField.tsx'

interface LimitedAreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  label: string
  length: TextLength
  /** The sentence about a text that is too long has this subject, such as 'A message'. */
  what: string
  purpose: string
}

/** Shows a labelled field of several lines. It keeps characters above its limit and reports them. */
export function LimitedArea({ label, length, what, purpose, ...rest }: LimitedAreaProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <textarea
        id={id}
        dir="auto"
        aria-invalid={length.excess > 0}
        aria-describedby={`${id}-note`}
        className={`${inputClass} resize-none py-2.5`}
        {...rest}
      />
      <LengthNote id={`${id}-note`} what={what} purpose={purpose} {...length} />
    </div>
  )
}
