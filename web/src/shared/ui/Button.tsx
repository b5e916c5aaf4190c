import type { ButtonHTMLAttributes, Ref } from 'react'
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
  /**
   * While the button waits for an answer, it shows a spinner before its text and ignores presses, but keeps the focus.
   */
  isBusy?: boolean
  ref?: Ref<HTMLButtonElement>
}

export function Button({
  variant = 'primary',
  isBusy = false,
  className,
  type = 'button',
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      aria-disabled={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault()
        else onClick?.(event)
      }}
      className={cx(
        'inline-flex min-h-12 items-center justify-center gap-2 rounded-xl px-5 py-2 font-medium transition duration-100 active:scale-[0.98]',
        'disabled:cursor-not-allowed disabled:opacity-50 disabled:active:scale-100 aria-disabled:cursor-progress aria-disabled:active:scale-100',
        looks[variant],
        className,
      )}
      {...rest}
    >
      {isBusy && (
        <span
          aria-hidden
          className="size-4 animate-spin rounded-full border-2 border-current border-r-transparent"
        />
      )}
      {children}
    </button>
  )
}

export type IconButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { label: string }

/** Shows a round button with an icon; `label` is its accessible name. */
export function IconButton({ label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      className={cx(
        'inline-flex size-11 shrink-0 items-center justify-center rounded-full transition duration-100 hover:bg-surface-2 active:scale-95',
        'disabled:cursor-not-allowed disabled:opacity-40',
        className,
      )}
      {...rest}
    />
  )
}
