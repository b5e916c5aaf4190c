import { cx } from '../../shared/lib/cx.ts'
import { PlusIcon } from '../../shared/ui/icons.tsx'
import type { ReactionToMessage } from './use-reactions.ts'

const atHand = ['👍', '❤️', '😂', '😮', '😢', '🙏']

export interface ReactionItemsProps extends Pick<ReactionToMessage, 'ownEmoji'> {
  onChoose: (emoji: string) => void
  onOther: () => void
}

/** The first row of the menu of a message. */
export function ReactionItems({ ownEmoji, onChoose, onOther }: ReactionItemsProps) {
  const itemClass =
    'inline-flex h-11 min-w-0 flex-1 items-center justify-center rounded-lg hover:bg-surface-2'
  return (
    <div role="group" aria-label="React" className="flex">
      {atHand.map((emoji) => (
        <button
          key={emoji}
          type="button"
          role="menuitem"
          aria-label={emoji === ownEmoji ? `Remove your reaction ${emoji}` : `React with ${emoji}`}
          className={cx(itemClass, 'text-2xl', emoji === ownEmoji && 'bg-accent-soft')}
          onClick={() => onChoose(emoji)}
        >
          {emoji}
        </button>
      ))}
      <button
        type="button"
        role="menuitem"
        aria-label="React with another emoji"
        className={itemClass}
        onClick={onOther}
      >
        <PlusIcon size={20} />
      </button>
    </div>
  )
}
