import type { ReactNode } from 'react'

export interface ChatBarProps {
  text: string
  children?: ReactNode
}

/** Replaces the composer in a chat in which nothing can be written. */
export function ChatBar({ text, children }: ChatBarProps) {
  return (
    <div className="shrink-0 space-y-3 border-t border-line px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] text-center text-sm text-ink-2">
      <p role="status">{text}</p>
      {children && <div className="mx-auto flex max-w-md gap-2">{children}</div>}
    </div>
  )
}
