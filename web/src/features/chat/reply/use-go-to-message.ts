import type { Message } from '@sumlock/contracts/messaging-routes'
import type { ConversationView } from '@sumlock/sync/conversation-view'
import type { ConversationState } from '@sumlock/sync/known-messages'
import type { ReplyTo } from '@sumlock/sync/ports'
import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react'
import type { Ref, RefObject } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { usePage } from '../../../page.ts'
import type { TimelineRow } from '../timeline.ts'

const markedMs = 2000

interface Options {
  /** Whether the focus stays where it is, such as in the field of a search. */
  keepsFocus?: boolean
}
export type GoTo = (re: ReplyTo, options?: Options) => void
type Sought = ReplyTo & Required<Options>
type Marked = { key: string } & Required<Options>

interface Place {
  rows: readonly TimelineRow[]
  state: ConversationState
  view: ConversationView | null
  scroller: RefObject<HTMLElement | null>
  list: RefObject<VirtualizerHandle | null>
  /** Ends the keeping of the reader at the end. */
  letGo: () => void
  /** Receives the function that leads to a message. */
  lead?: Ref<GoTo> | undefined
}

/**
 * Leads to a message, for which it loads earlier pages until the message is there, and marks it for two seconds.
 * `isSeeking` is true while pages are loaded.
 */
export function useGoToMessage({ rows, state, view, scroller, list, letGo, lead }: Place) {
  const { toast } = usePage().toasts
  const [sought, setSought] = useState<Sought | null>(null)
  const [marked, setMarked] = useState<Marked | null>(null)
  const { messages, hasOlder, loadingOlder } = state
  /** The last page was asked for before this seq. If the list still begins there, it did not come. */
  const askedBefore = useRef<number>(undefined)

  const seek = useEffectEvent(({ by, id, seq, keepsFocus }: Sought) => {
    const at = rows.findIndex((row) =>
      messagesIn(row).some((message) => message.senderId === by && message.clientMessageId === id),
    )
    const row = rows[at]
    if (row) {
      letGo()
      list.current?.scrollToIndex(at, { align: 'center' })
      setMarked({ key: row.key, keepsFocus })
      return setSought(null)
    }
    if (loadingOlder) return
    const first = messages[0]?.seq ?? 0
    const isPast = first <= seq || !hasOlder
    if (!isPast && first !== askedBefore.current) {
      askedBefore.current = first
      return void view?.loadOlder()
    }
    setSought(null)
    if (isPast) toast({ title: 'Message not found', description: 'It was deleted.' })
    else toast({ title: 'Message not loaded', description: 'Check your connection and try again.' })
  })
  useEffect(() => {
    if (sought) seek(sought)
  }, [sought, messages, loadingOlder])

  useEffect(() => {
    if (marked === null) return
    const timer = setTimeout(() => setMarked(null), markedMs)
    return () => clearTimeout(timer)
  }, [marked])

  const goTo: GoTo = (re, { keepsFocus = false } = {}) => {
    askedBefore.current = undefined
    setSought({ ...re, keepsFocus })
  }
  useImperativeHandle(lead, () => goTo)
  const onScrollEnd = () => showMarked(scroller.current, marked)
  useEffect(() => showMarked(scroller.current, marked), [scroller, marked])
  return {
    goTo,
    isSeeking: sought !== null,
    stop: () => setSought(null),
    marked: marked?.key ?? null,
    onScrollEnd,
  }
}

function messagesIn(row: TimelineRow): readonly Message[] {
  if (row.kind === 'vanished') return row.messages
  return row.kind === 'message' ? [row.message] : []
}

/**
 * Gives a message the focus, or shows its searched text. This does nothing before the list has measured and shown it. A
 * field that the person has entered meanwhile keeps the focus.
 */
function showMarked(scroller: HTMLElement | null, marked: Marked | null): void {
  if (!marked || !scroller) return
  const isWriting = document.activeElement?.matches('input, textarea')
  for (const message of scroller.querySelectorAll<HTMLElement>('article')) {
    if (message.dataset['message'] !== marked.key) continue
    if (marked.keepsFocus) message.querySelector('mark')?.scrollIntoView({ block: 'nearest' })
    else if (!isWriting) message.focus({ preventScroll: true })
  }
}
