import type { Message } from '@sumlock/contracts/messaging-routes'
import type { OutboxItem } from '@sumlock/sync/ports'
import { cx } from '../../shared/lib/cx.ts'
import { relativeTime } from '../../shared/lib/relative-time.ts'

const bubble = 'flow-root max-w-[82%] rounded-2xl px-3.5 py-2 break-words whitespace-pre-wrap'
const ownBubble = 'self-end rounded-br-md bg-accent text-accent-ink'

export interface MessageBubbleProps {
  message: Message
  isOwn: boolean
  /** The previous message is from the same person. */
  followsOwnKind: boolean
  now: Date
}

export function MessageBubble({ message, isOwn, followsOwnKind, now }: MessageBubbleProps) {
  return (
    <article
      className={cx(
        bubble,
        isOwn ? ownBubble : 'self-start rounded-bl-md border border-line bg-surface',
        !followsOwnKind && 'mt-2',
      )}
    >
      <span className="sr-only">{isOwn ? 'You: ' : 'They: '}</span>
      <span dir="auto">{message.content}</span>
      <span className="float-right mt-1.5 -mb-0.5 ml-2.5 text-xs whitespace-nowrap opacity-90">
        <time dateTime={message.createdAt}>{relativeTime(message.createdAt, now)}</time>
        {isOwn && <span aria-label={message.isRead ? 'read' : 'sent'}>{message.isRead ? ' ✓✓' : ' ✓'}</span>}
      </span>
    </article>
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
    <article className="flex flex-col items-end gap-1">
      <div
        className={cx(
          bubble,
          isFailed
            ? 'rounded-br-md border border-danger bg-danger-soft text-danger'
            : cx(ownBubble, 'opacity-70'),
        )}
      >
        <span className="sr-only">You: </span>
        <span dir="auto">{item.message.content}</span>
        {!isFailed && <span className="ml-2 text-xs">sending…</span>}
      </div>
      {isFailed && (
        <p className="text-sm text-danger">
          Not sent.{' '}
          <button type="button" className="min-h-8 font-medium underline" onClick={onRetry}>
            Try again
          </button>{' '}
          <button type="button" className="min-h-8 font-medium underline" onClick={onDiscard}>
            Discard
          </button>
        </p>
      )}
    </article>
  )
}
