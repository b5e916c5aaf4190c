import type { ConversationState, ConversationView } from '@sumlock/sync/conversation-view'
import { useLayoutEffect, useRef } from 'react'
import { Spinner } from '../../shared/ui/Spinner.tsx'
import { MessageBubble, PendingBubble } from './MessageBubble.tsx'
import { useMessaging } from './messaging-context.ts'
import { useNow } from './use-now.ts'

const nearEndPx = 120
const nearTopPx = 80

/**
 * The messages, oldest on top. Stays at the end while the reader is there, and keeps the position when older messages
 * are added.
 */
export function MessageList({ state, view }: { state: ConversationState; view: ConversationView | null }) {
  const { userId } = useMessaging()
  const now = useNow()
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const before = useRef({ firstId: '', height: 0 })
  const { messages, pending, loaded, hasOlder, loadingOlder, error } = state
  const firstId = messages[0]?.id ?? ''

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const grewOnTop = before.current.firstId !== '' && before.current.firstId !== firstId
    if (grewOnTop && !isAtEnd.current) element.scrollTop += element.scrollHeight - before.current.height
    else if (isAtEnd.current) element.scrollTop = element.scrollHeight
    before.current = { firstId, height: element.scrollHeight }
  }, [messages, pending, firstId])

  const onScroll = () => {
    const element = box.current
    if (!element) return
    isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEndPx
    if (element.scrollTop < nearTopPx && hasOlder) void view?.loadOlder()
  }

  return (
    <div
      ref={box}
      role="log"
      aria-label="Messages"
      tabIndex={0}
      onScroll={onScroll}
      className="flex h-full flex-col touch-pan-y touch-pinch-zoom gap-1.5 overflow-y-auto overscroll-contain px-4 py-4 focus-visible:-outline-offset-3"
    >
      {!loaded && !error && (
        <div className="m-auto">
          <Spinner label="Loading messages..." />
        </div>
      )}
      {error && !loaded && (
        <p className="m-auto max-w-xs text-center text-ink-2">
          The messages could not be loaded. We keep trying while this page is open.
        </p>
      )}
      {loadingOlder && (
        <div className="text-center">
          <Spinner />
        </div>
      )}
      {loaded && messages.length === 0 && pending.length === 0 && (
        <p className="m-auto text-ink-2">Say hello.</p>
      )}
      {loaded && <div className="mt-auto" />}
      {messages.map((message, index) => (
        <MessageBubble
          key={message.id}
          message={message}
          isOwn={message.senderId === userId}
          followsOwnKind={messages[index - 1]?.senderId === message.senderId}
          now={now}
        />
      ))}
      {pending.map((item) => (
        <PendingBubble
          key={item.message.clientMessageId}
          item={item}
          onRetry={() => view?.retry(item.message.clientMessageId)}
          onDiscard={() => view?.discard(item.message.clientMessageId)}
        />
      ))}
    </div>
  )
}
