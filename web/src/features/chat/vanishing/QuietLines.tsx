import type { Conversation, Message } from '@sumlock/contracts/messaging-routes'
import { useSession } from '../../../page.ts'
import { timeName } from '../../conversations/time-names.ts'
import { HourglassIcon } from '../../conversation-options/hourglass-icon.tsx'

const lineClass = 'px-4 pt-3 pb-1 text-center text-xs text-ink-2'

/** Stands in place of messages that have vanished. They count as shown with it. */
export function VanishedLine({ messages }: { messages: readonly Message[] }) {
  const count = messages.length
  return (
    <p className={lineClass}>
      <span data-seq={messages.at(-1)?.seq}>
        {count === 1 ? 'Message vanished' : `${count} messages vanished`}
      </span>
    </p>
  )
}

interface TimerLineProps {
  timer: NonNullable<Conversation['timer']>
  /** The name of the other person. */
  name: string
}

/** Says who has set the timer. */
export function TimerLine({ timer: { by, vanishMs }, name }: TimerLineProps) {
  const { userId } = useSession()
  return (
    <p className={lineClass}>
      <HourglassIcon size={12} className="mr-1 inline-block align-[-1px]" />
      {by === userId ? 'You' : <bdi>{name}</bdi>}{' '}
      {vanishMs ? `set messages to vanish after ${timeName(vanishMs)}` : 'turned vanishing off'}
    </p>
  )
}
