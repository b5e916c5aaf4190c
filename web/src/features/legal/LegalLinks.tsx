import { useState } from 'react'
import { cx } from '../../shared/lib/cx.ts'
import { LegalDialog } from './LegalDialog.tsx'
import { legalTitles } from './LegalReading.tsx'
import type { LegalKind, LegalScope } from './LegalReading.tsx'

const linkClass = 'min-h-11 rounded-lg px-2 text-sm text-ink-2 underline hover:text-ink'

export function LegalLinks({ className, scope = 'whole' }: { className?: string; scope?: LegalScope }) {
  const [reading, setReading] = useState<LegalKind | null>(null)
  return (
    <div className={cx('flex flex-wrap', className)}>
      {(['privacy', 'terms'] as const).map((kind) => (
        <button key={kind} type="button" className={linkClass} onClick={() => setReading(kind)}>
          {legalTitles[kind]}
        </button>
      ))}
      <LegalDialog reading={reading} scope={scope} onClose={() => setReading(null)} />
    </div>
  )
}
