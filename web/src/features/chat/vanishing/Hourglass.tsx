import type { Message } from '@sumlock/contracts/messaging-routes'
import { useSyncExternalStore } from 'react'
import { usePage } from '../../../page.ts'
import { leftText, shortLeft, timeName } from '../../conversations/time-names.ts'
import { leavesFocusToLog } from '../../conversation-options/focus-log.ts'
import { HourglassIcon } from '../../conversation-options/hourglass-icon.tsx'

const minuteMs = 60_000

/** Rounds a time up to minutes, and its last minute to seconds. */
function stepped(ms: number): number {
  const stepMs = ms <= minuteMs ? 1000 : minuteMs
  return Math.max(0, Math.ceil(ms / stepMs)) * stepMs
}

function everySecond(onSecond: () => void): () => void {
  const timer = setInterval(onSecond, 1000)
  return () => clearInterval(timer)
}

interface HourglassProps extends Pick<Message, 'createdAt' | 'vanishAt'> {
  vanishMs: NonNullable<Message['vanishMs']>
  isOwn: boolean
}

/** Says after which time a message vanishes, and how much of it is left once it runs. */
export function Hourglass({ vanishMs, vanishAt, createdAt, isOwn }: HourglassProps) {
  const startMs = isOwn
    ? Date.parse(createdAt)
    : vanishAt === undefined
      ? undefined
      : Date.parse(vanishAt) - vanishMs
  const { client } = usePage()
  const leftMs = useSyncExternalStore(everySecond, () =>
    startMs === undefined ? undefined : stepped(vanishMs - Math.max(0, client.nowMs() - startMs)),
  )
  const text = `vanishes ${timeName(vanishMs)} after ${isOwn ? 'sending' : 'reading'}`
  return leftMs === undefined ? (
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
      {short && (
        <span aria-hidden className="tabular-nums">
          {short}
        </span>
      )}
      <span className="sr-only">{text}</span>
    </span>
  )
}

interface TimerMarkProps extends Pick<HourglassProps, 'vanishMs'> {
  /** Sets the timer; undefined where it cannot be set. */
  onSet: (() => void) | undefined
}

/** Stands in the header of a chat with a timer, and leads to the choice of another time. */
export function TimerMark({ vanishMs, onSet }: TimerMarkProps) {
  const content = (
    <>
      <HourglassIcon size={12} />
      <span className="sr-only">New messages vanish after </span>
      {timeName(vanishMs)}
    </>
  )
  const look = 'inline-flex items-center gap-1 whitespace-nowrap'
  if (!onSet) return <span className={look}>{content}</span>
  return (
    // The area around the small text takes touches, too.
    <button
      ref={leavesFocusToLog}
      type="button"
      onClick={onSet}
      className={`${look} relative rounded before:absolute before:-inset-x-2 before:-top-5 before:-bottom-2`}
    >
      {content}
      <span className="sr-only">. Change</span>
    </button>
  )
}
