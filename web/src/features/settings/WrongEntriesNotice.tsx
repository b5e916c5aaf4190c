import { useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../shared/ui/Button.tsx'
import { focusScreenTitle } from '../../shared/ui/ScreenTitle.tsx'
import { wrongEntries } from '../session/wrong-entries.ts'
import { EndSessionsDialog } from './EndSessionsDialog.tsx'

/** Shown once after an unlock that followed wrong entries, until it is dismissed. */
export function WrongEntriesNotice() {
  const [count, setCount] = useState(wrongEntries.get)
  const [isEnding, setIsEnding] = useState(false)
  if (count === 0) return null
  const dismiss = () => {
    wrongEntries.forget()
    flushSync(() => setCount(0))
    focusScreenTitle()
  }
  return (
    <section role="status" className="m-4 rounded-2xl border border-warn-line bg-warn-soft p-4">
      <p className="font-semibold">
        {count === 1 ? '1 wrong entry' : `${count} wrong entries`} since you last unlocked
      </p>
      <p className="mt-1 text-sm">If that was not you, end your other sessions.</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button onClick={() => setIsEnding(true)}>End other sessions</Button>
        <Button variant="ghost" onClick={dismiss}>
          Dismiss
        </Button>
      </div>
      <EndSessionsDialog open={isEnding} onClose={() => setIsEnding(false)} onEnded={dismiss} />
    </section>
  )
}
