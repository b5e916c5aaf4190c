import type { OutboxItem } from '@sumlock/sync/ports'
import type { ReactNode } from 'react'
import { cx } from '../../shared/lib/cx.ts'
import { ErrorIcon, PendingIcon } from '../../shared/ui/icons.tsx'
import { bubbleClass, metaClass, ownBubbleClass } from './MessageBubble.tsx'
import { MediaMessage, OnceMessage } from '../../app/chunks/unlocked.tsx'
import { isEmojiOnly } from './message-text.ts'
import { MessageText } from './MessageText.tsx'
import { WaitingHourglass } from './vanishing/Hourglass.tsx'

export interface PendingBubbleProps {
  item: OutboxItem
  /** Shows the answered message. */
  quotation?: ReactNode
  retryLabel: string
  onRetry: () => void
  onDiscard: () => void
}

/**
 * A message that is retried only after this time gets a sentence, because "sending…" alone would leave the person in
 * doubt.
 */
const longWaitMs = 60_000

/** Shows media that are stored already, while their message is not. */
function PendingMedia({ message }: { message: Exclude<OutboxItem['message'], { messageType: 'text' }> }) {
  const { content = '', media, ...rest } = message
  return (
    <>
      <MediaMessage {...rest} media={media} caption={content} isSealed={media !== undefined} />
      {content && <MessageText content={content} />}
    </>
  )
}

/** Shows a message that the server has not stored yet. */
export function PendingBubble({ item, quotation, retryLabel, onRetry, onDiscard }: PendingBubbleProps) {
  const isFailed = item.status === 'failed'
  const isWaitingLong = !isFailed && (item.failure?.retryAfterMs ?? 0) >= longWaitMs
  return (
    <div className="flex flex-col items-end px-4 pt-0.5">
      <article
        data-message={item.message.clientMessageId}
        tabIndex={-1}
        className={cx(
          bubbleClass,
          isFailed ? 'border border-danger bg-danger-soft text-ink' : ownBubbleClass,
        )}
      >
        <span className="sr-only">You: </span>
        {quotation}
        {item.message.messageType === 'text' ? (
          <MessageText content={item.message.content} />
        ) : item.message.isOnce ? (
          <OnceMessage message={item.message} isOwn />
        ) : (
          <PendingMedia message={item.message} />
        )}
        {!isFailed && (
          <span className={cx(metaClass, 'text-own-meta', isEmojiOnly(item.message.content ?? '') && 'mt-7')}>
            {item.message.vanishMs && <WaitingHourglass vanishMs={item.message.vanishMs} />}
            <PendingIcon size={14} />
            <span className="sr-only">sending…</span>
          </span>
        )}
      </article>
      {isWaitingLong && (
        <p role="status" className="text-right text-sm text-ink-2">
          Not sent yet. {item.failure?.message}
        </p>
      )}
      {isFailed && (
        <p role="status" className="flex flex-wrap items-center justify-end gap-x-1 text-sm text-danger">
          <ErrorIcon size={16} />
          Not sent. {item.failure?.message}
          <button type="button" className="min-h-11 px-2 font-medium underline" onClick={onRetry}>
            {retryLabel}
          </button>
          <button type="button" className="min-h-11 px-2 font-medium underline" onClick={onDiscard}>
            Discard
          </button>
        </p>
      )}
    </div>
  )
}
