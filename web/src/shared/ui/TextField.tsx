import { useId, useState } from 'react'
import type { InputHTMLAttributes, Ref } from 'react'
import { cx } from '../lib/cx.ts'
import { ErrorIcon, EyeIcon, EyeOffIcon } from './icons.tsx'

export interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string
  hint?: string | undefined
  error?: string | undefined
  ref?: Ref<HTMLInputElement>
}

export const inputClass =
  'w-full min-h-12 rounded-xl border border-control bg-surface px-3.5 text-base text-ink placeholder:text-ink-2 focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 aria-invalid:border-danger disabled:opacity-60'

/** Shows a labelled input with its hint or error below. A button makes a password readable. */
export function TextField({ label, hint, error, className, type, ...rest }: TextFieldProps) {
  const id = useId()
  const [isShown, setIsShown] = useState(false)
  const isPassword = type === 'password'
  const note = error ?? hint
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          type={isPassword && isShown ? 'text' : type}
          className={cx(inputClass, isPassword && 'pr-12')}
          aria-invalid={error !== undefined}
          aria-describedby={note ? `${id}-note` : undefined}
          {...(isPassword ? { autoCapitalize: 'none', spellCheck: false } : {})}
          {...rest}
        />
        {isPassword && (
          <button
            type="button"
            aria-label={`${isShown ? 'Hide' : 'Show'} ${label.toLowerCase()}`}
            className="absolute inset-y-0 right-0.5 inline-flex w-11 items-center justify-center rounded-xl text-ink-2"
            onClick={() => setIsShown(!isShown)}
          >
            {isShown ? <EyeOffIcon /> : <EyeIcon />}
          </button>
        )}
      </div>
      {note && (
        <p
          id={`${id}-note`}
          className={cx('mt-1.5 flex gap-1.5 text-sm', error ? 'text-danger' : 'text-ink-2')}
        >
          {error && <ErrorIcon size={16} className="mt-0.5 shrink-0" />}
          {note}
        </p>
      )}
    </div>
  )
}
