import type { ReactNode } from 'react'

export function Article({ children }: { children: ReactNode }) {
  return <article className="space-y-5 text-sm leading-relaxed">{children}</article>
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="space-y-2">
      <h3 className="text-base font-semibold">{title}</h3>
      {children}
    </section>
  )
}

export function Mail({ to }: { to: 'support' | 'privacy' | 'legal' }) {
  const address = `${to}@calculator.example`
  return (
    <a className="text-accent underline" href={`mailto:${address}`}>
      {address}
    </a>
  )
}
