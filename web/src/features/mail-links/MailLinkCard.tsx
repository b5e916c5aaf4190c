import type { ReactNode } from 'react'
import { ScreenTitle } from '../../shared/ui/ScreenTitle.tsx'

export interface MailLinkCardProps {
  icon: ReactNode
  title: string
  /** This text says what happened, or what to do. */
  text?: string
  isFailure?: boolean
  children?: ReactNode
}

/** Shows the card of a page that a mail's link opens. */
export function MailLinkCard({ icon, title, text, isFailure = false, children }: MailLinkCardProps) {
  return (
    <main className="flex min-h-full items-center justify-center p-4">
      <section className="w-full max-w-[26.25rem] rounded-2xl border border-line bg-surface p-5 sm:p-6">
        <div className="flex flex-col items-center gap-3 text-center" aria-live="polite">
          <span
            className={`flex size-16 items-center justify-center rounded-full ${isFailure ? 'bg-danger-soft text-danger' : 'bg-accent-soft text-accent'}`}
          >
            {icon}
          </span>
          <ScreenTitle className="text-xl font-semibold">{title}</ScreenTitle>
          {text && <p className="text-ink-2">{text}</p>}
        </div>
        {children && <div className="mt-5 flex flex-col gap-2">{children}</div>}
      </section>
    </main>
  )
}
