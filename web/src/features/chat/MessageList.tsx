import type { Conversation } from '@sumlock/contracts/messaging-routes'
import type { ConversationState } from '@sumlock/sync/known-messages'
import type { OutboxItem } from '@sumlock/sync/ports'
import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { Ref, RefObject } from 'react'
import { Virtualizer } from 'virtua'
import type { VirtualizerHandle } from 'virtua'
import { Spinner } from '../../shared/ui/Spinner.tsx'
import type { Upload } from '../media/uploads.ts'
import { EmptyChat, EndButton, MessageKeys, SeekingBar, ShownMessages } from '../../app/chunks/unlocked.tsx'
import { DayPill, ListRow } from './ListRow.tsx'
import type { MessageActionsProps } from './MessageActions.tsx'
import { MessageMenu } from './MessageMenu.tsx'
import { useSession } from '../../page.ts'
import { countAfter } from './timeline.ts'
import type { TimelineRow } from './timeline.ts'
import { useGoToMessage } from './reply/use-go-to-message.ts'
import type { GoTo } from './reply/use-go-to-message.ts'
import { useConversation } from './use-conversation.ts'
import { useGrowsOnTop } from './use-grows-on-top.ts'
import { useReadersPlace } from './use-readers-place.ts'
import { useRows } from './use-rows.ts'

const nearTopPx = 400

export interface MessageListProps {
  conversationId: string
  name: string
  /** Whether the server withholds messages of the partner. A missing message then proves nothing. */
  isWithheld: boolean
  /** Leads to a message. */
  lead?: Ref<GoTo>
  timer?: Conversation['timer']
  /** Sets the timer; undefined where it cannot be set. */
  onTimer?: (() => void) | undefined
  /** Begins to edit an own message; undefined where nothing can be written. */
  onEdit?: MessageActionsProps['onEdit']
  /** Begins to answer a message; undefined where nothing can be written or sealed. */
  onReply?: MessageActionsProps['onReply']
}

/** Shows the messages, oldest on top. Only messages near the visible part are in the document. */
export function MessageList(props: MessageListProps) {
  const { conversationId, name, isWithheld, timer, onTimer, lead, ...actions } = props
  const { state, pending, view } = useConversation(conversationId)
  const uploads = useUploads(conversationId)
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const { messages, hasOlder, hasNewer, loadingOlder } = state
  const { userId } = useSession()

  const rows = useRows(state, { pending, isWithheld, uploads, timer })
  const isShift = useGrowsOnTop(messages[0]?.seq)

  const waiting = waitingIds(pending, uploads)
  const { isAtEnd, goToEnd, letGo } = useReadersPlace(state, { scroller, list, rows, waiting })
  const { newCount, onShown } = useNewCount(state)

  const { goTo, isSeeking, stop, marked, onScrollEnd } = useGoToMessage({
    ...{ rows, state, view, scroller, list, letGo, lead },
  })

  const { topDay, followDay } = useTopDay(rows, list)
  const onScroll = (offset: number) => {
    if (offset < nearTopPx && hasOlder && !hasNewer && !loadingOlder) void view?.loadOlder()
    followDay(offset)
  }

  return (
    <div className="relative flex h-full flex-col">
      <TopBar day={topDay} isLoading={loadingOlder} />
      <MessageMenu id={conversationId} scroller={scroller} {...actions}>
        <div
          ref={scroller}
          role="log"
          aria-label="Messages"
          tabIndex={0}
          className="flex h-full touch-pan-y touch-pinch-zoom flex-col overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:-outline-offset-2"
        >
          <Placeholder
            {...{ state, id: conversationId, name }}
            isEmpty={messages.length + pending.length === 0}
          />
          <div className="grow" />
          <div className="pb-3">
            <Virtualizer
              ref={list}
              scrollRef={scroller}
              data={rows}
              shift={isShift}
              {...{ onScroll, onScrollEnd }}
            >
              {(row) => (
                <ListRow
                  key={row.key}
                  {...{ row, id: conversationId, name, goTo, onTimer, isMarked: row.key === marked }}
                />
              )}
            </Virtualizer>
          </div>
        </div>
      </MessageMenu>
      <MessageKeys {...{ scroller, messages, userId }} onReply={actions.onReply} />
      <ShownMessages {...{ scroller, view, onShown }} watermark={state.watermark} />
      {isSeeking && <SeekingBar count={messages.length} onStop={stop} />}
      {!isAtEnd && !isSeeking && (
        <EndButton
          count={newCount}
          onGo={() => {
            goToEnd()
            // The button leaves, and the focus with it.
            scroller.current?.focus({ preventScroll: true })
          }}
        />
      )}
    </div>
  )
}

/** Names the own messages and files that are not sent yet. */
const waitingIds = (pending: readonly OutboxItem[], uploads: readonly Upload[]): string[] => [
  ...pending.map(({ message }) => message.clientMessageId),
  ...uploads.filter(({ isLost }) => !isLost).map(({ id }) => id),
]

/** Counts the messages of the other person below those that were on the screen. */
function useNewCount({ messages, hasNewer }: ConversationState) {
  const { userId } = useSession()
  const [shownSeq, setShownSeq] = useState(0)
  const onShown = useCallback((seq: number) => setShownSeq((before) => Math.max(before, seq)), [])
  return { newCount: hasNewer || shownSeq === 0 ? 0 : countAfter(messages, shownSeq, userId), onShown }
}

/** Returns the day at the top of the screen, once the list was scrolled. */
function useTopDay(rows: readonly TimelineRow[], list: RefObject<VirtualizerHandle | null>) {
  const [topDay, setTopDay] = useState<number>()
  const followDay = (offset: number) => {
    const day = dayAt(rows, list.current?.findItemIndex(offset) ?? 0)
    if (day !== topDay) setTopDay(day)
  }
  return { topDay: rows.length > 0 ? topDay : undefined, followDay }
}

/** The element is always there, so that nothing moves when the day appears or disappears. */
function TopBar({ day, isLoading }: { day: number | undefined; isLoading: boolean }) {
  return (
    <div className="flex h-8 shrink-0 items-center justify-center">
      {isLoading ? <Spinner /> : day !== undefined && <TopDay dayStartMs={day} />}
    </div>
  )
}

/** Returns the files that are on their way into a conversation. */
function useUploads(conversationId: string): readonly Upload[] {
  const { uploads } = useSession().media
  const all = useSyncExternalStore(uploads.subscribe, uploads.get)
  return useMemo(
    () => all.filter((upload) => upload.conversationId === conversationId),
    [all, conversationId],
  )
}

interface PlaceholderProps {
  state: ConversationState
  isEmpty: boolean
  id: string
  name: string
}

function Placeholder({ state: { loaded, error }, isEmpty, id, name }: PlaceholderProps) {
  if (loaded && !isEmpty) return null
  return (
    <div className="m-auto max-w-xs p-4 text-center text-ink-2">
      {loaded && <EmptyChat id={id} name={name} />}
      {!loaded && error && 'The messages could not be loaded. We keep trying while this page is open.'}
      {!loaded && !error && <Spinner label="Loading messages..." />}
    </div>
  )
}

/** Shows the day of the topmost message above the list. The pills in the list announce it to a screen reader. */
function TopDay({ dayStartMs }: { dayStartMs: number }) {
  return (
    <span aria-hidden>
      <DayPill dayStartMs={dayStartMs} />
    </span>
  )
}

/**
 * Returns the day of a row; undefined if the list's own pill of that day is at the top, so that the day is not shown
 * twice.
 */
function dayAt(rows: readonly TimelineRow[], from: number): number | undefined {
  if (rows[from]?.kind === 'day') return undefined
  for (let index = from; index >= 0; index -= 1) {
    const row = rows[index]
    if (row?.kind === 'day') return row.dayStartMs
  }
  return undefined
}
