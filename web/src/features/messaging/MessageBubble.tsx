import type { Message } from '@sumlock/contracts/messaging-routes'
import type { OutboxItem } from '@sumlock/sync/ports'
import { memo, useState } from 'react'
import { clockTime } from '../../shared/lib/clock-time.ts'
import { cx } from '../../shared/lib/cx.ts'
import { CheckIcon, ErrorIcon, PendingIcon, ReadIcon } from '../../shared/ui/icons.tsx'
import { RelativeTime } from '../../shared/ui/RelativeTime.tsx'
import { MessageText } from './MessageText.tsx'

// On touch a long press opens our menu, and selects nothing.
const bubble =
  'flow-root max-w-[82%] rounded-bubble px-3.5 py-2 break-words whitespace-pre-wrap focus-visible:-outline-offset-2 pointer-coarse:select-none'
const otherBubble = 'border border-line bg-surface dark:border-transparent dark:bg-surface-2'
const ownBubble = 'bg-accent-soft text-ink'
const meta = 'float-right mt-1.5 -mb-0.5 ml-2.5 inline-flex items-center gap-1 text-xs whitespace-nowrap'

export interface MessageBubbleProps {
  message: Message
  isOwn: boolean
  /** First and last of a run of one person: corners inside a run are joined. */
  isFirst: boolean
  isLast: boolean
}

export const MessageBubble = memo(function MessageBubble({
  message,
  isOwn,
  isFirst,
  isLast,
}: MessageBubbleProps) {
  const [showsClock, setShowsClock] = useState(false)
  const { id, content, createdAt, isRead } = message
  return (
    <div className={cx('flex px-4', isOwn ? 'justify-end' : 'justify-start', isFirst ? 'pt-3' : 'pt-0.5')}>
      <article
        data-message={id}
        tabIndex={-1}
        onClick={({ target }) => {
          const isControl = (target as Element).closest('a, button') !== null
          if (!isControl && window.getSelection()?.isCollapsed !== false) setShowsClock(!showsClock)
        }}
        className={cx(
          bubble,
          isOwn ? ownBubble : otherBubble,
          !isFirst && (isOwn ? 'rounded-tr-md' : 'rounded-tl-md'),
          !isLast && (isOwn ? 'rounded-br-md' : 'rounded-bl-md'),
        )}
      >
        <span className="sr-only">{isOwn ? 'You: ' : 'They: '}</span>
        {content === '' ? <em className="text-ink-2">Deleted message</em> : <MessageText content={content} />}
        <span className={cx(meta, isOwn ? 'text-own-meta' : 'text-ink-2')}>
          <RelativeTime iso={createdAt} />
          {showsClock && <span>{clockTime(createdAt)}</span>}
          {isOwn && <Tick isRead={isRead} />}
        </span>
      </article>
    </div>
  )
})

export function Tick({ isRead }: { isRead: boolean }) {
  const Icon = isRead ? ReadIcon : CheckIcon
  return (
    <>
      <Icon size={15} className={cx('inline-block', isRead && 'text-accent')} />
      <span className="sr-only">{isRead ? 'read' : 'sent'}</span>
    </>
  )
}

export interface PendingBubbleProps {
  item: OutboxItem
  onRetry: () => void
  onDiscard: () => void
}

/** A message that the server has not confirmed. */
export function PendingBubble({ item, onRetry, onDiscard }: PendingBubbleProps) {
  const isFailed = item.status === 'failed'
  return (
    <div className="flex flex-col items-end px-4 pt-0.5">
      <article
        tabIndex={-1}
        className={cx(bubble, isFailed ? 'border border-danger bg-danger-soft text-ink' : ownBubble)}
      >
        <span className="sr-only">You: </span>
        <MessageText content={item.message.content ?? ''} />
        {!isFailed && (
          <span className={cx(meta, 'text-own-meta')}>
            <PendingIcon size={14} />
            <span className="sr-only">sending…</span>
          </span>
        )}
      </article>
      {isFailed && (
        <p role="status" className="flex flex-wrap items-center justify-end gap-x-1 text-sm text-danger">
          <ErrorIcon size={16} />
          Not sent. {item.failure?.message}
          <button type="button" className="min-h-11 px-2 font-medium underline" onClick={onRetry}>
            Try again
          </button>
          <button type="button" className="min-h-11 px-2 font-medium underline" onClick={onDiscard}>
            Discard
          </button>
        </p>
      )}
    </div>
  )
}
