import type { Message } from '@sumlock/contracts/messaging-routes'
import type { Changeable } from '@sumlock/sync/shown-conversation'
import { memo, useState } from 'react'
import type { ReactNode } from 'react'
import { clockText, dayText } from '../../shared/lib/date-text.ts'
import { cx } from '../../shared/lib/cx.ts'
import { RelativeTime } from '../../shared/ui/RelativeTime.tsx'
import { Hourglass, MediaMessage, OnceMessage } from '../../app/chunks/unlocked.tsx'
import { PendingIcon } from '../../shared/ui/icons.tsx'
import { onceName } from '../media/once/once-name.ts'
import { Tick } from '../conversations/Tick.tsx'
import { bubbleName } from './message-of-bubble.ts'
import { isEmojiOnly } from './message-text.ts'
import { MessageText } from './MessageText.tsx'

// A long press on touch opens the app's own menu and selects nothing.
export const bubbleClass =
  'flow-root max-w-[82%] overflow-clip rounded-bubble px-3.5 py-2 break-words whitespace-pre-wrap focus-visible:-outline-offset-2 pointer-coarse:select-none'
const otherBubble = 'border border-line bg-surface dark:border-transparent dark:bg-surface-2'
const deletedBubble = 'border border-line text-ink-2'
export const ownBubbleClass = 'bg-accent-soft text-ink'
export const metaClass =
  'float-right mt-1.5 -mb-0.5 ml-2.5 inline-flex items-center gap-1 text-xs whitespace-nowrap'

export interface MessageBubbleProps {
  message: Message & Pick<Changeable, 'isChanging'>
  /** This text is shown; it is null if the message cannot be read on this device. */
  text: string | null
  /** A sealed message contains this description of its media. */
  media?: unknown
  /** This sentence says why the message cannot be read. */
  reason?: string | null
  /** This is the time of writing if the message was stored much later, otherwise null. */
  writtenAtMs?: number | null
  /** Shows the answered message. */
  quotation?: ReactNode
  /** The reader was just led here. */
  isMarked?: boolean
  isOwn: boolean
  /** Whether the message is the first or last of a run of one person; corners inside a run are joined. */
  isFirst: boolean
  isLast: boolean
}

export const MessageBubble = memo(function MessageBubble({
  message,
  text,
  media,
  reason = null,
  writtenAtMs = null,
  quotation,
  isMarked = false,
  isOwn,
  isFirst,
  isLast,
}: MessageBubbleProps) {
  const [showsClock, setShowsClock] = useState(false)
  const { id, seq, createdAt, isRead, mediaUrl, messageType, sealed, edit, isChanging } = message
  const { vanishMs, vanishAt } = message
  const hasMedia = mediaUrl !== null && text !== null
  const isOnce = reason === null && onceName(message) !== undefined
  const isDeleted = !text && !hasMedia && !reason && !isOnce
  return (
    <div className={cx('flex px-4', isOwn ? 'justify-end' : 'justify-start', isFirst ? 'pt-3' : 'pt-0.5')}>
      <article
        data-message={bubbleName(message, isOwn)}
        tabIndex={-1}
        onClick={({ target }) => {
          const isControl = (target as Element).closest('a, button') !== null
          if (!isControl && window.getSelection()?.isCollapsed !== false) setShowsClock(!showsClock)
        }}
        className={cx(
          bubbleClass,
          isDeleted ? deletedBubble : isOwn ? ownBubbleClass : otherBubble,
          !isFirst && (isOwn ? 'rounded-tr-md' : 'rounded-tl-md'),
          !isLast && (isOwn ? 'rounded-br-md' : 'rounded-bl-md'),
          isMarked && 'ring-2 ring-accent',
        )}
      >
        <span className="sr-only">{isOwn ? 'You: ' : 'They: '}</span>
        {quotation}
        {isOnce && <OnceMessage {...{ message, media, isOwn }} />}
        {hasMedia && !isOnce && (
          <MediaMessage
            {...{ id, messageType, mediaUrl, media }}
            isSealed={sealed !== undefined}
            caption={text}
          />
        )}
        {text && !isOnce && <MessageText content={text} id={id} />}
        {!text && !hasMedia && !isOnce && <em className="text-ink-2">{reason ?? 'Deleted message'}</em>}
        <span
          data-seq={seq}
          className={cx(
            metaClass,
            isOwn && !isDeleted ? 'text-own-meta' : 'text-ink-2',
            // The margin moves the time down to the foot of a line of large emoji.
            text && isEmojiOnly(text) && 'mt-7',
          )}
        >
          {writtenAtMs !== null && <span>Written {writtenTime(writtenAtMs, createdAt)} ·</span>}
          {edit && <span>edited</span>}
          {edit && <span aria-hidden>·</span>}
          <RelativeTime iso={createdAt} />
          {(isLast || showsClock) && <span>{clockText(createdAt)}</span>}
          {vanishMs && <Hourglass {...{ vanishMs, vanishAt, createdAt, isOwn }} />}
          {isOwn && (isChanging ? <Changing /> : !isDeleted && <Tick isRead={isRead} />)}
        </span>
      </article>
    </div>
  )
})

function Changing() {
  return (
    <>
      <PendingIcon size={14} />
      <span className="sr-only">sending the change…</span>
    </>
  )
}

/** Returns a time such as "Tue, 4 Mar, 14:02", with the year if the message was stored in another one. */
const writtenTime = (atMs: number, storedAt: string) =>
  `${dayText(atMs, new Date(storedAt))}, ${clockText(atMs)}`
