import type { Message } from '@sumlock/contracts/messaging-routes'
import { useCallback } from 'react'
import { useTimeText } from '../../../shared/ui/RelativeTime.tsx'
import { leftText, shortLeft, timeName } from '../../conversations/time-names.ts'
import { HourglassIcon } from '../../conversation-options/hourglass-icon.tsx'

const minuteMs = 60_000

interface HourglassProps extends Pick<Message, 'createdAt' | 'vanishAt'> {
  vanishMs: NonNullable<Message['vanishMs']>
  isOwn: boolean
}

/** Says after which time a message vanishes, and how much of it is left once it runs. */
export function Hourglass({ vanishMs, vanishAt, createdAt, isOwn }: HourglassProps) {
  const endMs = isOwn ? Date.parse(createdAt) + vanishMs : vanishAt && Date.parse(vanishAt)
  const minutes = useTimeText(
    useCallback(
      (nowMs) => (endMs ? String(Math.max(0, Math.floor((endMs - nowMs) / minuteMs))) : ''),
      [endMs],
    ),
  )
  const leftMs = Number(minutes) * minuteMs
  const text = `vanishes ${timeName(vanishMs)} after ${isOwn ? 'sending' : 'reading'}`
  return minutes === '' ? (
    <Mark text={text} />
  ) : (
    <Mark text={`${text}: ${leftText(leftMs)}`} short={shortLeft(leftMs)} />
  )
}

/** The time of a message that is not stored yet does not run. */
export const WaitingHourglass = ({ vanishMs }: Pick<HourglassProps, 'vanishMs'>) => (
  <Mark text={`vanishes ${timeName(vanishMs)} after sending`} />
)

function Mark({ text, short }: { text: string; short?: string }) {
  return (
    <span title={text} className="inline-flex items-center gap-0.5">
      <HourglassIcon size={12} />
      {short && <span aria-hidden>{short}</span>}
      <span className="sr-only">{text}</span>
    </span>
  )
}

/** Stands in the header of a chat with a timer. */
export function TimerMark({ vanishMs }: Pick<HourglassProps, 'vanishMs'>) {
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      <HourglassIcon size={12} />
      <span className="sr-only">New messages vanish after </span>
      {timeName(vanishMs)}
    </span>
  )
}
