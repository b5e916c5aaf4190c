import { dateAndTimeText } from '../../shared/lib/date-text.ts'
import { Notice } from '../../shared/ui/Notice.tsx'

export interface ListedResetProps {
  dueAt: string
}

/** Shows the notice above the list of conversations, which only an unlocked session sees. */
export const ListedReset = ({ dueAt }: ListedResetProps) => (
  <div className="m-4">
    <PendingResetNotice dueAt={dueAt} isUnlocked />
  </div>
)

interface PendingResetNoticeProps extends ListedResetProps {
  isUnlocked: boolean
}

/** Warns of a pending reset: what it will do, when, and how to cancel it. */
export function PendingResetNotice({ dueAt, isUnlocked }: PendingResetNoticeProps) {
  return (
    <div role="status">
      <Notice kind="warning">
        <p className="font-semibold">“Reset app” takes place on {dateAndTimeText(dueAt)}</p>
        <p className="mt-1">
          Then all your conversations are deleted for you and every device is signed out. Sign in afterwards
          and choose a new number.
        </p>
        <p className="mt-1">
          To cancel it, {isUnlocked ? 'lock and ' : ''}enter your number on any device
          {isUnlocked ? '. If it was not you, change your account password too.' : '.'}
        </p>
      </Notice>
    </div>
  )
}
