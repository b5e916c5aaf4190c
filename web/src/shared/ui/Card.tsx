import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'

export function Card({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <section className={cx('rounded-2xl border border-line bg-surface p-5', className)}>{children}</section>
  )
}

/** Shows one card in the middle of the screen. */
export function CenteredPage({ children }: { children: ReactNode }) {
  return (
    <main className="flex min-h-full items-center justify-center p-4">
      <div className="w-full max-w-sm">{children}</div>
    </main>
  )
}
