import type { ReactNode } from 'react'
import { ErrorIcon, WarningIcon } from './icons.tsx'

/** Shows advice in amber or an error in red. Unlike a toast, it stays on the screen. */
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
