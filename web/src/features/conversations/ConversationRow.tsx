import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { cx } from '../../shared/lib/cx.ts'
import { BlockIcon, MuteIcon } from '../../shared/ui/icons.tsx'
import { codeClass, nameClass } from '../../shared/ui/name-classes.ts'
import { RelativeTime } from '../../shared/ui/RelativeTime.tsx'
import { Avatar } from './Avatar.tsx'
import type { ListedConversation } from './conversation-list.ts'
import { Preview } from './Preview.tsx'

export interface ConversationRowProps {
  conversation: ListedConversation
  /** Whether the conversation is shown next to the list. */
  isOpen: boolean
}

export function ConversationRow({ conversation, isOpen }: ConversationRowProps) {
  const { id, otherUser, lastMessageAt, unreadCount, isMuted, isBlocked } = conversation
  const isUnread = unreadCount > 0
  return (
    <li>
      <Link
        to={`/conversation/${id}`}
        draggable={false}
        aria-current={isOpen ? 'page' : undefined}
        className={cx(
          'flex min-h-18 items-center gap-3 px-4 py-1.5 transition duration-100 hover:bg-surface-2/60 focus-visible:-outline-offset-2 active:bg-surface-2',
          isOpen && 'bg-surface-2',
        )}
      >
        <Avatar name={otherUser.username || 'Unknown User'} />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline justify-between gap-2">
            <span className="flex min-w-0 items-center gap-1.5">
              <span dir="auto" className={cx(nameClass, 'text-row font-semibold')}>
                {otherUser.username || 'Unknown User'}
              </span>
              {isMuted && <Mark icon={<MuteIcon size={16} />} text="Muted" />}
              {isBlocked && <Mark icon={<BlockIcon size={16} />} text="Blocked" />}
            </span>
            {lastMessageAt && <RelativeTime iso={lastMessageAt} className="shrink-0 text-xs text-ink-2" />}
          </span>
          <span className="flex items-center justify-between gap-2 text-sm">
            <span className={cx('min-w-0 truncate', isUnread ? 'font-medium' : 'text-ink-2')}>
              <Preview conversation={conversation} />
            </span>
            {isUnread && (
              <span
                className={cx(
                  'inline-flex min-w-5 shrink-0 items-center justify-center rounded-full px-1.5 py-0.5 text-xs font-semibold tabular-nums',
                  isMuted ? 'bg-surface-2 text-ink-2' : 'bg-accent text-accent-ink',
                )}
              >
                {unreadCount > 99 ? '99+' : unreadCount}
                <span className="sr-only"> unread</span>
              </span>
            )}
          </span>
          <span className={cx(codeClass, 'block text-xs text-ink-2')}>{otherUser.userCode}</span>
        </span>
      </Link>
    </li>
  )
}

function Mark({ icon, text }: { icon: ReactNode; text: string }) {
  return (
    <span className="shrink-0 text-ink-2">
      {icon}
      <span className="sr-only">{text}</span>
    </span>
  )
}
