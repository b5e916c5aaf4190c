import { useId } from 'react'
import { OnceIcon } from './OnceIcon.tsx'

/** Returns what the person reads before a file is sent that opens once. A caption would not be sent. */
export const onceSentence = (caption = '', isOneOfSeveral = false): string =>
  [
    `${isOneOfSeveral ? 'This file' : 'It'} opens once.`,
    ...(caption.trim() ? ['Its caption is not sent.'] : []),
    'A camera or a changed app can still keep it.',
  ].join(' ')

export interface OnceToggleProps {
  isOn: boolean
  onChange: (isOn: boolean) => void
}

/** Decides whether the receiver can open what is sent only once. */
export function OnceToggle({ isOn, onChange }: OnceToggleProps) {
  const noteId = useId()
  return (
    <>
      <button
        type="button"
        aria-label="View once"
        aria-pressed={isOn}
        aria-describedby={noteId}
        onClick={() => onChange(!isOn)}
        className="inline-flex size-12 shrink-0 items-center justify-center rounded-full text-ink-2 transition duration-100 hover:bg-surface-2 active:scale-95 aria-pressed:bg-accent-soft aria-pressed:text-accent"
      >
        <OnceIcon size={26} />
      </button>
      <span id={noteId} hidden>
        {onceSentence()}
      </span>
    </>
  )
}
