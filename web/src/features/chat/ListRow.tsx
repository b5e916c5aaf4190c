import type { ReplyTo } from '@sumlock/sync/ports'
import { useCallback } from 'react'
import { PendingRow, PlainNote, TimerLine, UploadBubble, VanishedLine } from '../../app/chunks/unlocked.tsx'
import { useTimeText } from '../../shared/ui/RelativeTime.tsx'
import { MessageRow } from './MessageRow.tsx'
import { dayName } from './timeline.ts'
import type { TimelineRow } from './timeline.ts'

export interface ListRowProps {
  row: TimelineRow
  id: string
  name: string
  /** Leads to an answered message. */
  goTo: (re: ReplyTo) => void
  /** Sets the timer; undefined where it cannot be set. */
  onTimer?: (() => void) | undefined
  /** The row was just led to. */
  isMarked: boolean
}

export function ListRow({ row, id, name, goTo, onTimer, isMarked }: ListRowProps) {
  switch (row.kind) {
    case 'day':
      return (
        <div className="flex justify-center pt-4 pb-1">
          <DayPill dayStartMs={row.dayStartMs} />
        </div>
      )
    case 'unread':
      return (
        <p
          data-line
          className="flex items-center gap-3 px-4 pt-3 pb-1 text-xs font-medium text-accent before:h-px before:flex-1 before:bg-accent after:h-px after:flex-1 after:bg-accent"
        >
          Unread messages
        </p>
      )
    case 'plain':
      return <PlainNote />
    case 'sealed':
      return <p className="px-4 pt-3 pb-1 text-center text-xs text-ink-2">Encrypted from here on</p>
    case 'gap':
      return <p className="px-4 pt-3 text-center text-xs text-ink-2">A message may be missing here</p>
    case 'timer':
      return <TimerLine timer={row.timer} name={name} onSet={onTimer} />
    case 'vanished':
      return <VanishedLine messages={row.messages} />
    case 'message':
      return <MessageRow {...{ row, id, name, goTo, isMarked }} />
    case 'pending':
      return <PendingRow item={row.item} quotation={row.quotation} {...{ id, name, goTo }} />
    case 'upload':
      return (
        // The virtual list leaves out a row without a height, so the bubble, which is loaded late, would never be
        // shown.
        <div className="min-h-14">
          <UploadBubble upload={row.upload} />
        </div>
      )
  }
}

export function DayPill({ dayStartMs }: { dayStartMs: number }) {
  const name = useTimeText(useCallback((nowMs: number) => dayName(dayStartMs, nowMs), [dayStartMs]))
  return (
    <span className="rounded-full border border-line bg-canvas px-3 py-1 text-xs font-medium text-ink-2">
      {name}
    </span>
  )
}
