import type { ConversationState } from '@sumlock/sync/known-messages'
import type { OutboxItem } from '@sumlock/sync/ports'
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { RefObject } from 'react'
import { Virtualizer } from 'virtua'
import type { VirtualizerHandle } from 'virtua'
import { Spinner } from '../../shared/ui/Spinner.tsx'
import type { Upload } from '../media/uploads.ts'
import { EmptyChat, EndButton, ShownMessages } from '../../app/chunks/unlocked.tsx'
import { DayPill, ListRow } from './ListRow.tsx'
import type { MessageActionsProps } from './MessageActions.tsx'
import { MessageMenu } from './MessageMenu.tsx'
import { useSession } from '../../page.ts'
import { countAfter, createTimeline, firstUnread } from './timeline.ts'
import type { TimelineRow } from './timeline.ts'
import { moveBetweenMessages } from './move-between-messages.ts'
import { useConversation } from './use-conversation.ts'
import { useStayAtEnd } from './use-stay-at-end.ts'

const nearTopPx = 400
/** The unread line stands this far below the top of the list, so that a bit of the message before it can be seen. */
const aboveLinePx = 40

export interface MessageListProps {
  conversationId: string
  name: string
  /** Whether the server withholds messages of the partner. A missing message then proves nothing. */
  isWithheld: boolean
  /** Begins to edit an own message; undefined where nothing can be written. */
  onEdit?: MessageActionsProps['onEdit']
}

/** Shows the messages, oldest on top. Only messages near the visible part are in the document. */
export function MessageList({ conversationId, name, isWithheld, onEdit }: MessageListProps) {
  const { state, pending, view } = useConversation(conversationId)
  const { userId, media } = useSession()
  const allUploads = useSyncExternalStore(media.uploads.subscribe, media.uploads.get)
  const ownUploads = useMemo(
    () => allUploads.filter((upload) => upload.conversationId === conversationId),
    [allUploads, conversationId],
  )
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const { messages, hasOlder, hasNewer, loadingOlder } = state
  const [shownSeq, setShownSeq] = useState(0)
  const onShown = useCallback((seq: number) => setShownSeq((before) => Math.max(before, seq)), [])

  const rows = useRows(state, { pending, isWithheld, uploads: ownUploads })
  const isShift = useGrowsOnTop(messages[0]?.seq)

  const { isAtEnd, goToEnd } = useReadersPlace(state, {
    ...{ scroller, list, rows },
    waiting: [
      ...pending.map(({ message }) => message.clientMessageId),
      ...ownUploads.filter(({ isLost }) => !isLost).map(({ id }) => id),
    ],
  })
  const newCount = hasNewer || shownSeq === 0 ? 0 : countAfter(messages, shownSeq, userId)

  const [topDay, setTopDay] = useState<number>()
  const onScroll = (offset: number) => {
    if (offset < nearTopPx && hasOlder && !hasNewer && !loadingOlder) void view?.loadOlder()
    const day = dayAt(rows, list.current?.findItemIndex(offset) ?? 0)
    if (day !== topDay) setTopDay(day)
  }

  return (
    <div className="relative flex h-full flex-col">
      {/* The element is always there, so that nothing moves when the day appears or disappears. */}
      <div className="flex h-8 shrink-0 items-center justify-center">
        {loadingOlder && <Spinner />}
        {topDay !== undefined && rows.length > 0 && !loadingOlder && <TopDay dayStartMs={topDay} />}
      </div>
      <MessageMenu id={conversationId} {...{ scroller, onEdit }}>
        <div
          ref={scroller}
          role="log"
          aria-label="Messages"
          tabIndex={0}
          onKeyDown={moveBetweenMessages}
          className="flex h-full touch-pan-y touch-pinch-zoom flex-col overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:-outline-offset-2"
        >
          <Placeholder
            state={state}
            isEmpty={messages.length + pending.length === 0}
            id={conversationId}
            name={name}
          />
          <div className="grow" />
          <div className="pb-3">
            <Virtualizer ref={list} scrollRef={scroller} data={rows} shift={isShift} onScroll={onScroll}>
              {(row) => <ListRow key={row.key} row={row} id={conversationId} name={name} />}
            </Virtualizer>
          </div>
        </div>
      </MessageMenu>
      <ShownMessages {...{ scroller, view, onShown }} watermark={state.watermark} />
      {!isAtEnd && (
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

interface PlaceInput {
  scroller: RefObject<HTMLElement | null>
  list: RefObject<VirtualizerHandle | null>
  rows: readonly TimelineRow[]
  /** The ids of the own messages and files that are not sent yet. */
  waiting: readonly string[]
}

/**
 * Begins at the unread line, or at the end if there is none. An own message leads to the end, and any other one if the
 * reader is there.
 */
function useReadersPlace(
  { messages, hasNewer }: ConversationState,
  { scroller, list, rows, waiting }: PlaceInput,
) {
  const line = rows.findIndex(({ kind }) => kind === 'unread')
  const { isAtEnd, goToEnd, goToLine } = useStayAtEnd(scroller, {
    hasNewer,
    // The virtual list's own scrolling goes on for a while, and would end a later jump to the end.
    lineTop: () => (list.current?.getItemOffset(line) ?? 0) - aboveLinePx,
  })
  const newest = messages.at(-1)?.seq
  const before = useRef<{ waiting: readonly string[]; newest?: number | undefined; hasLine?: boolean }>({
    waiting,
  })
  useLayoutEffect(() => {
    const { waiting: known, newest: former, hasLine } = before.current
    const isOwn = waiting.some((id) => !known.includes(id))
    const isFollowed = isAtEnd && former !== undefined && newest !== former
    if (isOwn || isFollowed) goToEnd()
    else if (line >= 0 && !hasLine) goToLine()
    before.current = { waiting, newest, hasLine: line >= 0 }
  })
  return { isAtEnd, goToEnd }
}

interface RowsInput {
  pending: readonly OutboxItem[]
  isWithheld: boolean
  uploads: readonly Upload[]
}

/** Builds the rows of the list again only if one of their inputs has changed. */
function useRows(state: ConversationState, { pending, isWithheld, uploads }: RowsInput): TimelineRow[] {
  const { messages, loaded, hasOlder } = state
  const { userId } = useSession()
  const [unreadFrom, setUnreadFrom] = useState<number | null>()
  if (unreadFrom === undefined && loaded) setUnreadFrom(firstUnread(messages, userId))
  const [buildTimeline] = useState(createTimeline)
  return useMemo(
    () =>
      buildTimeline({
        messages,
        pending,
        uploads,
        userId,
        unreadFrom: unreadFrom ?? null,
        isWhole: loaded && !hasOlder && !isWithheld,
      }),
    [buildTimeline, messages, pending, uploads, userId, unreadFrom, loaded, hasOlder, isWithheld],
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

/**
 * Returns whether this render adds older messages. The virtual list then keeps the reader's place relative to the end.
 */
function useGrowsOnTop(firstSeq: number | undefined): boolean {
  const [before, setBefore] = useState(firstSeq)
  const [isShift, setIsShift] = useState(false)
  if (before !== firstSeq) {
    setBefore(firstSeq)
    setIsShift(before !== undefined && firstSeq !== undefined && firstSeq < before)
  }
  useEffect(() => setIsShift(false), [firstSeq])
  return isShift
}
