import { useState } from 'react'
import { flushSync } from 'react-dom'
import { dateAndTimeText } from '../../shared/lib/date-text.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { focusScreenTitle } from '../../shared/ui/ScreenTitle.tsx'
import { EndSessionsDialog } from './EndSessionsDialog.tsx'
import { usePage } from '../../page.ts'

/**
 * Reports wrong numbers, wrong account passwords and a cancelled reset after the unlock that followed them, until the
 * person dismisses the notice.
 */
export function WrongEntriesNotice() {
  const { wrongEntries } = usePage()
  const [since] = useState(wrongEntries.get)
  const {
    wrongEntries: numbers = 0,
    wrongPasswords: passwords = 0,
    cancelledResetDueAt: cancelledReset,
  } = since
  const [isShown, setIsShown] = useState(wrongEntries.areAny)
  const [isEnding, setIsEnding] = useState(false)
  if (!isShown) return null
  const dismiss = () => {
    wrongEntries.forget()
    flushSync(() => setIsShown(false))
    focusScreenTitle()
  }
  return (
    <section role="status" className="m-4 rounded-2xl border border-warn-line bg-warn-soft p-4">
      {numbers > 0 && (
        <p className="font-semibold">
          {numbers === 1 ? '1 wrong entry' : `${numbers} wrong entries`} since you last unlocked
        </p>
      )}
      {passwords > 0 && (
        <p className="font-semibold">
          {passwords === 1 ? '1 wrong password' : `${passwords} wrong passwords`} since you last unlocked
        </p>
      )}
      {cancelledReset && (
        <>
          <p className="font-semibold">“Reset app” was cancelled</p>
          <p className="mt-1 text-sm">
            Someone with your account password asked for it. On {dateAndTimeText(cancelledReset)} it would
            have deleted your conversations for you.
          </p>
        </>
      )}
      <p className="mt-1 text-sm">If that was not you, end your other sessions.</p>
      {(passwords > 0 || cancelledReset) && (
        <p className="mt-1 text-sm">
          {cancelledReset
            ? 'Then also change your account password in Settings.'
            : 'A long account password is not guessed. You can change it in Settings.'}
        </p>
      )}
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
