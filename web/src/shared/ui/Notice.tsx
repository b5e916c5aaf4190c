import type { ReactNode } from 'react'
import { ErrorIcon, WarningIcon } from './icons.tsx'

/** Advice in amber, or an error in red, that stays where it matters. */
export function Notice({ kind, children }: { kind: 'warning' | 'error'; children: ReactNode }) {
  const Icon = kind === 'error' ? ErrorIcon : WarningIcon
  const look =
    kind === 'error'
      ? 'border-danger/40 bg-danger-soft text-danger'
      : 'border-warn-line bg-warn-soft text-warn'
  return (
    <div className={`flex gap-3 rounded-xl border p-3 text-sm ${look}`}>
      <Icon className="shrink-0" />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  )
}

export interface EmptyStateProps {
  icon: ReactNode
  title: string
  children?: ReactNode
  /** The one thing to do next. */
  action?: ReactNode
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="m-auto flex max-w-xs flex-col items-center p-8 text-center">
      <span className="flex size-24 items-center justify-center rounded-full bg-accent-soft text-accent">
        {icon}
      </span>
      <p className="mt-4 text-row font-semibold">{title}</p>
      {children && <p className="mt-1 text-sm text-ink-2">{children}</p>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  )
}

/** Grey bars in the shape of rows, shown only after 200 ms. */
export function RowSkeletons({ count = 6 }: { count?: number }) {
  return (
    <div aria-hidden className="late">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="flex h-18 items-center gap-3 px-4">
          <span className="size-12 rounded-full bg-surface-2" />
          <span className="flex-1 space-y-2">
            <span className="block h-3.5 w-2/5 rounded bg-surface-2" />
            <span className="block h-3 w-4/5 rounded bg-surface-2" />
          </span>
        </div>
      ))}
    </div>
  )
}
