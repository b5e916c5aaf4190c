import type { ButtonHTMLAttributes } from 'react'
import { cx } from '../lib/cx.ts'

type Variant = 'primary' | 'secondary' | 'ghost' | 'danger'

const looks: Record<Variant, string> = {
  primary: 'bg-accent text-accent-ink hover:brightness-110',
  secondary: 'bg-surface-2 text-ink hover:brightness-95 dark:hover:brightness-125',
  ghost: 'text-accent hover:bg-accent-soft',
  danger: 'bg-danger text-white dark:text-canvas hover:brightness-110',
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: Variant
}

export function Button({ variant = 'primary', className, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={cx(
        'inline-flex min-h-11 items-center justify-center gap-2 rounded-xl px-4 font-medium transition active:scale-[0.98]',
        'disabled:cursor-not-allowed disabled:opacity-50 disabled:active:scale-100',
        looks[variant],
        className,
      )}
      {...rest}
    />
  )
}

/** A round button with an icon; `label` is its accessible name. */
export function IconButton({
  label,
  className,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={cx(
        'inline-flex size-11 shrink-0 items-center justify-center rounded-full text-ink transition hover:bg-surface-2 active:scale-95',
        'disabled:cursor-not-allowed disabled:opacity-40',
        className,
      )}
      {...rest}
    />
  )
}
