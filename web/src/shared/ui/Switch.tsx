import { cx } from '../lib/cx.ts'

export interface SwitchProps {
  isOn: boolean
  onChange: (isOn: boolean) => void
  disabled?: boolean
  'aria-labelledby': string
  'aria-describedby'?: string | undefined
}

/** A disabled switch has only `aria-disabled`, so that it keeps the focus while it waits for its answer. */
export function Switch({ isOn, onChange, disabled = false, ...rest }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-disabled={disabled}
      onClick={() => {
        if (!disabled) onChange(!isOn)
      }}
      className="-m-2 inline-flex size-auto shrink-0 rounded-full p-2 aria-disabled:cursor-not-allowed aria-disabled:opacity-50"
      {...rest}
    >
      <span
        className={cx(
          'flex h-8 w-13 items-center rounded-full border p-0.5 transition-colors',
          isOn ? 'border-accent bg-accent' : 'border-control bg-surface-2',
        )}
      >
        <span
          className={cx(
            'size-6.5 rounded-full transition-transform',
            isOn ? 'translate-x-5 bg-accent-ink' : 'bg-control',
          )}
        />
      </span>
    </button>
  )
}
