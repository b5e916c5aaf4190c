import { useId } from 'react'
import type { InputHTMLAttributes } from 'react'
import { cx } from '../lib/cx.ts'

export interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string
  hint?: string | undefined
  error?: string | undefined
}

export const inputClass =
  'w-full min-h-11 rounded-xl border border-control bg-surface px-3.5 text-base text-ink placeholder:text-ink-2 aria-invalid:border-danger disabled:opacity-60'

export function TextField({ label, hint, error, className, ...rest }: TextFieldProps) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        className={inputClass}
        aria-invalid={error !== undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        {...rest}
      />
      {note && (
        <p id={`${id}-note`} className={cx('mt-1.5 text-sm', error ? 'text-danger' : 'text-ink-2')}>
          {note}
        </p>
      )}
    </div>
  )
}
