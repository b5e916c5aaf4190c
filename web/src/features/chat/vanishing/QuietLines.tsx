import type { Conversation, Message } from '@sumlock/contracts/messaging-routes'
import type { Removal } from '@sumlock/sync/vanishing'
import { useLayoutEffect, useRef } from 'react'
import { useSession } from '../../../page.ts'
import { timeName } from '../../conversations/time-names.ts'
import { leavesFocusToLog } from '../../conversation-options/focus-log.ts'
import { HourglassIcon } from '../../conversation-options/hourglass-icon.tsx'

const lineClass = 'px-4 pt-3 pb-1 text-center text-xs text-ink-2'

/** Stands in place of messages that have vanished. They count as shown with it. */
export function VanishedLine({ messages }: { messages: readonly (Message & Removal)[] }) {
  const count = messages.length
  const line = useRef<HTMLParagraphElement>(null)
  // The focus was on a message that has just left with it.
  useLayoutEffect(() => {
    if (document.activeElement === document.body)
      line.current?.closest<HTMLElement>('[role=log]')?.focus({ preventScroll: true })
  }, [count])
  const [what, whose] = count === 1 ? ['Message', 'its'] : [`${count} messages`, 'their']
  return (
    <p ref={line} className={lineClass}>
      <span data-seq={messages.at(-1)?.seq}>
        {what} {messages[0]?.isEarly ? `removed before ${whose} time` : 'vanished'}
      </span>
    </p>
  )
}

interface TimerLineProps {
  timer: NonNullable<Conversation['timer']>
  /** The name of the other person. */
  name: string
  /** Sets the timer; undefined where it cannot be set. */
  onSet?: (() => void) | undefined
}

/** Says who has set the timer, and leads to the choice of another time. */
export function TimerLine({ timer: { by, vanishMs }, name, onSet }: TimerLineProps) {
  const { userId } = useSession()
  const text = (
    <>
      <HourglassIcon size={12} className="mr-1 inline-block align-[-1px]" />
      {by === userId ? 'You' : <bdi>{name}</bdi>}{' '}
      {vanishMs ? `set messages to vanish after ${timeName(vanishMs)}` : 'turned vanishing off'}
    </>
  )
  if (!onSet) return <p className={lineClass}>{text}</p>
  return (
    <p className="flex justify-center px-4">
      <button
        ref={leavesFocusToLog}
        type="button"
        onClick={onSet}
        className="min-h-11 px-2 text-center text-xs text-ink-2"
      >
        {text} <span className="ml-0.5 font-medium text-accent">Change</span>
      </button>
    </p>
  )
}
