import { useId } from 'react'
import type { ReactNode } from 'react'
import { BackIcon } from '../../shared/ui/icons.tsx'
import { Switch } from '../../shared/ui/Switch.tsx'

/** Shows a card of rows under a small heading. */
export function SettingsGroup({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-2 px-5 text-sm font-medium text-ink-2">
        {title}
      </h2>
      <div className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface">
        {children}
      </div>
    </section>
  )
}

const rowClass = 'flex min-h-14 w-full items-center justify-between gap-4 px-5 py-2'

export function SettingsRow({ children }: { children: ReactNode }) {
  return <div className={`${rowClass} flex-wrap`}>{children}</div>
}

interface ButtonRowProps {
  onClick: () => void
  disabled?: boolean
  isDanger?: boolean
  /** A row that acts at once, and one that ends something, has no arrow. */
  isAtOnce?: boolean
  children: ReactNode
}

/** A disabled row has only `aria-disabled`, because a row that is disabled by its own press would lose the focus. */
export function ButtonRow(props: ButtonRowProps) {
  const { isDanger = false, isAtOnce = isDanger, disabled = false, onClick, children } = props
  return (
    <button
      type="button"
      aria-disabled={disabled}
      onClick={() => {
        if (!disabled) onClick()
      }}
      className={`${rowClass} text-left transition hover:bg-surface-2 focus-visible:-outline-offset-3 aria-disabled:text-ink-2 aria-disabled:hover:bg-transparent ${isDanger ? 'text-danger' : ''}`}
    >
      {children}
      {!isAtOnce && <BackIcon size={18} className="shrink-0 rotate-180 text-ink-2" />}
    </button>
  )
}

interface SwitchRowProps {
  label: string
  description?: string
  /** This sentence says why the last change failed. */
  error?: string | undefined
  isOn: boolean
  onChange: (isOn: boolean) => void
  disabled?: boolean
}

export function SwitchRow({ label, description, error, ...rest }: SwitchRowProps) {
  const id = useId()
  return (
    <SettingsRow>
      <div className="min-w-0 flex-1 py-1">
        <p id={`${id}-label`}>{label}</p>
        {description && (
          <p id={`${id}-description`} className="text-sm text-ink-2">
            {description}
          </p>
        )}
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      </div>
      <Switch
        aria-labelledby={`${id}-label`}
        aria-describedby={description ? `${id}-description` : undefined}
        {...rest}
      />
    </SettingsRow>
  )
}
