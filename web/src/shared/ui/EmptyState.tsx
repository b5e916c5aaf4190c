import type { ReactNode } from 'react'

export interface EmptyStateProps {
  icon: ReactNode
  title: string
  children?: ReactNode
  /** This button is the only next step. */
  action?: ReactNode
  /** The note is shown under the action. */
  note?: ReactNode
}

export function EmptyState({ icon, title, children, action, note }: EmptyStateProps) {
  return (
    <div className="m-auto flex max-w-xs flex-col items-center p-8 text-center">
      <span className="flex size-24 items-center justify-center rounded-full bg-accent-soft text-accent">
        {icon}
      </span>
      <p className="mt-4 text-row font-semibold">{title}</p>
      {children && <p className="mt-1 text-sm text-ink-2">{children}</p>}
      {action && <div className="mt-5">{action}</div>}
      {note && <div className="mt-6">{note}</div>}
    </div>
  )
}
