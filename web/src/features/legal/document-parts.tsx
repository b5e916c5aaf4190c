import type { ReactNode } from 'react'
import { WithContacts } from '../../shared/ui/ContactAddress.tsx'

export function Article({ children }: { children: ReactNode }) {
  return (
    <WithContacts>
      <article className="space-y-5 text-sm leading-relaxed">{children}</article>
    </WithContacts>
  )
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="space-y-2">
      <h3 className="text-base font-semibold">{title}</h3>
      {children}
    </section>
  )
}
