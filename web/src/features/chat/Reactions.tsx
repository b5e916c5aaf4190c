import type { MessageName } from '@sumlock/sync/ports'
import type { MouseEvent } from 'react'
import { useSession } from '../../page.ts'
import { cx } from '../../shared/lib/cx.ts'
import { chipsOf, ownOf } from './reaction-chips.ts'
import type { Chip, OpenedReaction } from './reaction-chips.ts'
import { useReact } from './use-reactions.ts'

export interface ReactionsProps {
  /** The id of the conversation. */
  id: string
  /** The partner's name. */
  name: string
  target: MessageName
  reactions: readonly OpenedReaction[]
  /** Whether the bubble above is an own one. */
  isOwn: boolean
}

/** Shows the reactions to a message below its bubble. */
export function Reactions({ id, name, target, reactions, isOwn }: ReactionsProps) {
  const { userId } = useSession()
  const react = useReact(id)
  const chips = chipsOf(reactions, userId)
  if (chips.length === 0) return null
  const choose = ({ emoji, isOwn: isMine, isTheirs }: Chip, { currentTarget }: MouseEvent) => {
    // The chip leaves with the only reaction, and the focus with it.
    const row = currentTarget.closest('ul')?.previousElementSibling
    if (isMine && !isTheirs) row?.querySelector('article')?.focus({ preventScroll: true })
    react?.(target, ownOf(reactions, userId), isMine ? null : emoji)
  }
  return (
    <ul
      aria-label="Reactions"
      className={cx('relative -mt-1 flex gap-1 px-4 pb-0.5', isOwn ? 'justify-end' : 'justify-start')}
    >
      {chips.map((chip) => (
        <li key={chip.isOwn ? 'own' : 'theirs'}>
          <ChipButton
            {...{ chip, name }}
            onClick={react && (chip.isOwn || chip.emoji) ? (event) => choose(chip, event) : undefined}
          />
        </li>
      ))}
    </ul>
  )
}

const chipClass =
  'inline-flex h-7 items-center gap-1 overflow-clip rounded-full border px-2 text-sm whitespace-nowrap'

interface ChipProps {
  chip: Chip
  name: string
  /** Undefined where the reaction cannot be changed. */
  onClick: ((event: MouseEvent) => void) | undefined
}

function ChipButton({ chip, name, onClick }: ChipProps) {
  const { emoji, isOwn, isTheirs, isPending } = chip
  const look = cx(
    chipClass,
    isOwn ? 'border-accent bg-accent-soft' : 'border-line bg-surface dark:bg-surface-2',
    isPending && 'opacity-60',
  )
  const people = isOwn ? (isTheirs ? `you and ${name}` : 'you') : name
  const content = (
    <>
      <bdi aria-hidden={emoji === null}>{emoji ?? '🔒'}</bdi>
      {isOwn && isTheirs && <span aria-hidden>2</span>}
      <span className="sr-only">
        {emoji === null && 'A reaction that cannot be read here'} from {people}
        {isPending && ', sending…'}
        {onClick && (isOwn ? '. Remove yours' : '. React with it, too')}
      </span>
    </>
  )
  if (!onClick) return <span className={look}>{content}</span>
  return (
    // The area around the chip belongs to it, because a finger needs 44 pixels.
    <button
      type="button"
      className="relative after:absolute after:-inset-2 after:content-['']"
      onClick={onClick}
    >
      <span className={look}>{content}</span>
    </button>
  )
}
