export function Spinner({ label = 'Loading' }: { label?: string }) {
  return (
    <span role="status" className="inline-flex items-center gap-3 text-ink-2">
      <span aria-hidden className="size-5 animate-spin rounded-full border-2 border-line border-t-accent" />
      <span className={label === 'Loading' ? 'sr-only' : ''}>{label}</span>
    </span>
  )
}

export function FullPageSpinner({ label }: { label?: string }) {
  return (
    <main className="flex min-h-full items-center justify-center">
      <Spinner {...(label ? { label } : {})} />
    </main>
  )
}
