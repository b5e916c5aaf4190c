import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import { MessageCircle } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { cx } from '../../shared/lib/cx.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { SearchIcon } from '../../shared/ui/icons.tsx'
import { EmptyState } from '../../shared/ui/EmptyState.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { RowSkeletons } from '../../shared/ui/RowSkeletons.tsx'
import { Spinner } from '../../shared/ui/Spinner.tsx'
import { inputClass } from '../../shared/ui/TextField.tsx'
import { textOf } from '../sealed/message-opener.ts'
import type { SealedText } from '../sealed/sealed-text.ts'
import { useSealedVersion } from '../sealed/use-sealed.ts'
import { useAuth } from '../session/auth-context.ts'
import { WrongEntriesNotice } from '../settings/WrongEntriesNotice.tsx'
import { ConnectionBar } from './cut-off-parts.ts'
import { ConversationRow } from './ConversationRow.tsx'
import { ListHeader } from './ListHeader.tsx'
import { useListConversationsQuery } from './messaging-api.ts'
import { useMessaging } from './messaging-context.ts'
import { NewConversationDialog } from './NewConversationDialog.tsx'
import { hasPages } from './page-cursor.ts'
import { MorePages } from './rare-parts.tsx'

/** From this many conversations on there is a search. */
const searchFrom = 6

export interface ConversationListProps {
  /** The conversation shown beside the list. */
  openId: string | undefined
}

export function ConversationList({ openId }: ConversationListProps) {
  const [isAsking, setIsAsking] = useState(false)
  const [wanted, setWanted] = useState('')
  const { data: conversations, isLoading, error, refetch } = useListConversationsQuery()
  const { text } = useMessaging()
  useSealedVersion()
  const found = conversations?.filter((one) => matches(one, wanted, previewOf(text, one)))
  const requests = found?.filter(({ isRequest }) => isRequest) ?? []
  const others = found?.filter(({ isRequest }) => !isRequest) ?? []
  const isNothingFound = found?.length === 0 && wanted !== ''
  const isLong = hasPages(conversations)
  const startOne = () => setIsAsking(true)

  return (
    <div className="flex h-full touch-pan-y touch-pinch-zoom flex-col overflow-y-auto">
      <ListHeader isBesideChat={openId !== undefined} onNew={startOne} />
      {openId === undefined && <ConnectionBar />}
      <p className="bg-accent-soft px-4 py-2 text-center text-sm">
        Swipe right to quickly return to calculator
      </p>
      <WrongEntriesNotice />
      <DailyLimit conversations={conversations} />
      {isLoading && (
        <>
          <div className="p-4 text-center">
            <Spinner label="Loading conversations..." />
          </div>
          <RowSkeletons />
        </>
      )}
      {error && !conversations && (
        <div className="space-y-4 p-4">
          <Notice kind="error">
            Your conversations could not be loaded. Check your connection and try again.
          </Notice>
          <Button variant="secondary" className="w-full" onClick={() => void refetch()}>
            Retry
          </Button>
        </div>
      )}
      {conversations && conversations.length >= searchFrom && (
        <SearchField value={wanted} onChange={setWanted} />
      )}
      {conversations?.length === 0 && (
        <EmptyState
          icon={<MessageCircle aria-hidden size={48} strokeWidth={1.75} />}
          title="No conversations yet"
        >
          Tap the + button to start your first secure conversation
        </EmptyState>
      )}
      {isNothingFound && !isLong && (
        <p role="status" className="p-8 text-center text-ink-2">
          No conversation matches “{wanted}”.
        </p>
      )}
      {requests.length > 0 && (
        <section aria-labelledby="requests" className="border-b border-line pb-1">
          <h2 id="requests" className="px-4 pt-3 pb-1 text-sm font-semibold text-ink-2">
            Requests
          </h2>
          <Rows conversations={requests} openId={openId} />
        </section>
      )}
      <Rows conversations={others} openId={openId} />
      {isLong && <MorePages count={conversations?.length ?? 0} {...{ wanted, isNothingFound }} />}
      <NewConversationDialog open={isAsking} onOpenChange={setIsAsking} />
    </div>
  )
}

function Rows(props: { conversations: readonly Conversation[]; openId: string | undefined }) {
  return (
    <ul>
      {props.conversations.map((conversation) => (
        <ConversationRow
          key={conversation.id}
          conversation={conversation}
          isOpen={conversation.id === props.openId}
        />
      ))}
    </ul>
  )
}

const previewOf = (text: SealedText, { id, lastMessage }: Conversation): string =>
  (lastMessage && textOf(text.look(id, lastMessage), lastMessage)) ?? ''

function matches({ otherUser }: Conversation, wanted: string, preview: string): boolean {
  const text = wanted.trim().toLowerCase()
  return [otherUser.username, otherUser.userCode, preview].some((part) => part.toLowerCase().includes(text))
}

function DailyLimit({ conversations }: { conversations: readonly Conversation[] | undefined }) {
  const { user: signedIn } = useAuth()
  const user = signedIn && isWholeUser(signedIn) ? signedIn : null
  if (user?.subscriptionType !== 'free') return null
  const remaining =
    conversations?.[0]?.messagesRemaining ??
    (user.dailyMessageCount === null ? 1 : 1 - user.dailyMessageCount)
  return (
    <p className="flex flex-wrap items-center justify-between gap-x-3 border-b border-line px-4 text-xs text-ink-2">
      <span>Messages remaining today: {remaining}</span>
      <Link
        to="/settings"
        state={{ upgrade: true }}
        className="inline-flex min-h-11 items-center font-medium text-accent underline-offset-2 hover:underline"
      >
        Upgrade to Premium
      </Link>
    </p>
  )
}

function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <div className="relative px-4 py-3">
      <SearchIcon size={18} className="pointer-events-none absolute inset-y-0 left-8 my-auto text-ink-2" />
      <input
        type="search"
        aria-label="Search conversations"
        placeholder="Search"
        autoComplete="off"
        value={value}
        className={cx(inputClass, 'pl-11')}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
