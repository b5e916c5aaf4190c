import { useState } from 'react'
import { OpenLockIcon } from '../../shared/ui/icons.tsx'

/** Marks the messages below as not sealed. A tap shows what that means. */
export function PlainNote() {
  const [isExplained, setIsExplained] = useState(false)
  return (
    <div className="flex justify-center px-4 pt-1">
      <button
        type="button"
        aria-expanded={isExplained}
        className="inline-flex min-h-11 items-center gap-1.5 text-xs text-ink-2"
        onClick={() => setIsExplained(!isExplained)}
      >
        <OpenLockIcon size={14} className="shrink-0" />
        {isExplained ? 'Not encrypted: the server could read or write this' : 'Not encrypted'}
      </button>
    </div>
  )
}
