import { cx } from '../lib/cx.ts'
import { inDigits } from '../lib/text-length.ts'
import type { TextLength } from '../lib/text-length.ts'

interface LengthNoteProps extends TextLength {
  /** The field refers to the note by this id. */
  id: string
  /** The sentence has this subject, such as 'A message'. */
  what: string
  /** A shorter text allows this action, such as 'send it'. */
  purpose: string
}

/** Shows how much of its limit a text uses, and by how many characters it has to be shortened. */
export function LengthNote({ id, what, purpose, length, max, isNear, excess }: LengthNoteProps) {
  return (
    <div
      id={id}
      className={cx('flex justify-between gap-3 text-sm', excess > 0 ? 'text-danger' : 'text-ink-2')}
    >
      <p role="status">
        {excess > 0 &&
          `${what} has at most ${inDigits(max)} characters. Shorten this one by ${inDigits(excess)} to ${purpose}.`}
      </p>
      {isNear && (
        <p className="shrink-0 tabular-nums">
          {inDigits(length)} of {inDigits(max)}
        </p>
      )}
    </div>
  )
}
