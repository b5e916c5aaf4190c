import { useEffect, useState } from 'react'
import {
  ConnectionBar,
  EmptyList,
  ListedReset,
  loadNewConversation,
  MorePages,
  NewConversationDialog,
  SearchField,
  WrongEntriesNotice,
} from '../../app/chunks/unlocked.tsx'
import { useLoaded } from '../../shared/lib/use-loaded.ts'
import { useOpenedLink } from '../device/opened-link.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { RowSkeletons } from '../../shared/ui/RowSkeletons.tsx'
import { Spinner } from '../../shared/ui/Spinner.tsx'
import { lookOf, textOf } from '../sealed/look.ts'
import { useWholeUser } from '../session/use-whole-user.ts'
import { ConversationRow } from './ConversationRow.tsx'
import { bannerPartClass, DailyLimit } from './DailyLimit.tsx'
import { ListHeader } from './ListHeader.tsx'
import type { ListedConversation } from './conversation-list.ts'
import { useListConversationsQuery } from './messaging-api.ts'
import { hasPages } from './page-cursor.ts'
import { usePage } from '../../page.ts'

/** A list of at least this many conversations has a search field. */
const searchFrom = 6

export interface ConversationListProps {
  /** The conversation with this id is shown next to the list. */
  openId: string | undefined
}

export function ConversationList({ openId }: ConversationListProps) {
  const { wrongEntries } = usePage()
  const link = useOpenedLink()
  const [linkedCode] = useState(() => link?.code() ?? '')
  const [isAsking, setIsAsking] = useState(linkedCode !== '')
  // The linked code is offered only once, although the list is shown again after every chat.
  useEffect(() => {
    link?.forget()
  }, [link])
  const [wanted, setWanted] = useState('')
  const { data, isLoading, error, refetch } = useListConversationsQuery()
  const conversations = data?.rows
  const user = useWholeUser()
  const found = conversations?.filter((one) => matches(one, wanted))
  const requests = found?.filter(({ isRequest }) => isRequest) ?? []
  const others = found?.filter(({ isRequest }) => !isRequest) ?? []
  const isNothingFound = found?.length === 0 && wanted !== ''
  const isLong = hasPages(conversations)
  // The dialog stays mounted after its first use, because closing it then returns the focus to the button that opened
  // it.
  const [hasAsked, setHasAsked] = useState(isAsking)
  const startOne = () => {
    setHasAsked(true)
    setIsAsking(true)
  }
  const [hadWrongEntries] = useState(wrongEntries.areAny)
  useLoaded(loadNewConversation)

  return (
    <div className="flex h-full touch-pan-y touch-pinch-zoom flex-col overflow-y-auto">
      <ListHeader isBesideChat={openId !== undefined} onNew={startOne} />
      {openId === undefined && <ConnectionBar />}
      <div className="flex shrink-0 flex-wrap items-center gap-x-3 bg-accent-soft px-4 py-1 text-center text-xs">
        <p className={`${bannerPartClass} grow-2`}>Swipe right to quickly return to calculator</p>
        <DailyLimit conversations={conversations} />
      </div>
      {hadWrongEntries && <WrongEntriesNotice />}
      {user?.resetDueAt && <ListedReset dueAt={user.resetDueAt} />}
      {isLoading && <Loading />}
      {error && !conversations && <NotLoaded onRetry={() => void refetch()} />}
      {conversations && conversations.length >= searchFrom && (
        <SearchField value={wanted} onChange={setWanted} />
      )}
      {conversations?.length === 0 && <EmptyList onNew={startOne} />}
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
      {hasAsked && (
        <NewConversationDialog
          open={isAsking}
          onOpenChange={setIsAsking}
          firstCode={linkedCode}
          ownCode={user?.userCode}
        />
      )}
    </div>
  )
}

function Loading() {
  return (
    <>
      <div className="p-4 text-center">
        <Spinner label="Loading conversations..." />
      </div>
      <RowSkeletons />
    </>
  )
}

function NotLoaded({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="space-y-4 p-4">
      <Notice kind="error">
        Your conversations could not be loaded. Check your connection and try again.
      </Notice>
      <Button variant="secondary" className="w-full" onClick={onRetry}>
        Retry
      </Button>
    </div>
  )
}

function Rows(props: { conversations: readonly ListedConversation[]; openId: string | undefined }) {
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

function matches({ otherUser, lastMessage }: ListedConversation, wanted: string): boolean {
  const preview = (lastMessage && textOf(lookOf(lastMessage), lastMessage)) ?? ''
  const text = wanted.trim().toLowerCase()
  const { username, accountName = '', userCode } = otherUser
  return [username, accountName, userCode, preview].some((part) => part.toLowerCase().includes(text))
}
