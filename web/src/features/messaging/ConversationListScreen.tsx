import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { relativeTime } from '../../shared/lib/relative-time.ts'
import { useSwipe } from '../../shared/lib/use-swipe.ts'
import { Button, IconButton } from '../../shared/ui/Button.tsx'
import { GearIcon, PlusIcon } from '../../shared/ui/icons.tsx'
import { ScreenTitle } from '../../shared/ui/ScreenTitle.tsx'
import { Spinner } from '../../shared/ui/Spinner.tsx'
import { useAuth } from '../session/auth-context.ts'
import { WrongEntriesNotice } from '../settings/WrongEntriesNotice.tsx'
import { Avatar } from './Avatar.tsx'
import { useListConversationsQuery } from './messaging-api.ts'
import { NewConversationDialog } from './NewConversationDialog.tsx'
import { useNow } from './use-now.ts'

export function ConversationListScreen() {
  const { user: signedIn } = useAuth()
  const user = signedIn && isWholeUser(signedIn) ? signedIn : null
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const { data: conversations, isLoading, error, refetch } = useListConversationsQuery()
  const swipe = useSwipe(() => void navigate('/'))
  const remaining =
    conversations?.[0]?.messagesRemaining ??
    (user?.dailyMessageCount === null ? 1 : 1 - (user?.dailyMessageCount ?? 0))

  return (
    <main
      className="mx-auto flex min-h-full max-w-2xl touch-pan-y touch-pinch-zoom flex-col md:border-x md:border-line"
      {...swipe}
    >
      <header className="sticky top-0 z-10 flex items-center gap-1 border-b border-line bg-canvas/95 px-4 py-2 pt-[max(0.5rem,env(safe-area-inset-top))] backdrop-blur">
        <ScreenTitle className="flex-1 text-xl font-semibold">Secure Messages</ScreenTitle>
        <IconButton label="New conversation" onClick={() => setIsAsking(true)}>
          <PlusIcon />
        </IconButton>
        <IconButton label="Settings" className="-mr-2" onClick={() => void navigate('/settings')}>
          <GearIcon />
        </IconButton>
      </header>
      <p className="bg-accent-soft px-4 py-2 text-center text-sm">
        Swipe right to quickly return to calculator
      </p>
      <WrongEntriesNotice />
      {user?.subscriptionType === 'free' && (
        <p className="flex flex-wrap items-center justify-between gap-x-3 border-b border-line px-4 py-2 text-[0.8125rem] whitespace-nowrap text-ink-2">
          <span>Messages remaining today: {remaining}</span>
          <Link to="/settings" className="font-medium text-accent underline-offset-2 hover:underline">
            Upgrade to Premium
          </Link>
        </p>
      )}
      {isLoading && (
        <div className="p-10 text-center">
          <Spinner label="Loading conversations..." />
        </div>
      )}
      {error && !conversations && (
        <div className="p-10 text-center">
          <p className="text-ink-2">Your conversations could not be loaded.</p>
          <Button className="mt-4" onClick={() => void refetch()}>
            Retry
          </Button>
        </div>
      )}
      {conversations?.length === 0 && <EmptyState />}
      <ul>
        {conversations?.map((conversation) => (
          <Row key={conversation.id} conversation={conversation} />
        ))}
      </ul>
      <NewConversationDialog open={isAsking} onOpenChange={setIsAsking} />
    </main>
  )
}

function EmptyState() {
  return (
    <div className="flex flex-1 flex-col items-center justify-center p-10 text-center">
      <p className="text-lg font-semibold">No conversations yet</p>
      <p className="mt-1 text-ink-2">Tap the + button to start your first secure conversation</p>
    </div>
  )
}

function Row({ conversation }: { conversation: Conversation }) {
  const now = useNow()
  const { id, otherUser, lastMessage, lastMessageAt, unreadCount } = conversation
  const isUnread = unreadCount > 0
  return (
    <li>
      <Link
        to={`/conversation/${id}`}
        draggable={false}
        className="flex items-center gap-3 border-b border-line px-4 py-3 transition hover:bg-surface-2/60 focus-visible:-outline-offset-3 active:bg-surface-2"
      >
        <Avatar name={otherUser.username} />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline justify-between gap-2">
            <span className="truncate font-semibold">{otherUser.username}</span>
            {lastMessageAt && (
              <time className="shrink-0 text-sm text-ink-2">{relativeTime(lastMessageAt, now)}</time>
            )}
          </span>
          <span className="mt-0.5 flex items-center justify-between gap-2">
            <span className={isUnread ? 'truncate font-medium' : 'truncate text-ink-2'}>
              {lastMessage ? <bdi>{lastMessage.content}</bdi> : 'No messages yet'}
            </span>
            {isUnread && (
              <span
                aria-label={`${unreadCount} unread`}
                className="inline-flex min-w-6 shrink-0 items-center justify-center rounded-full bg-accent px-1.5 text-sm font-semibold text-accent-ink"
              >
                {unreadCount > 99 ? '99+' : unreadCount}
              </span>
            )}
          </span>
          <span className="block font-mono text-xs text-ink-2">{otherUser.userCode}</span>
        </span>
      </Link>
    </li>
  )
}
