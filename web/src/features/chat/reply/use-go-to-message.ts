import type { ConversationView } from '@sumlock/sync/conversation-view'
import type { ConversationState } from '@sumlock/sync/known-messages'
import type { ReplyTo } from '@sumlock/sync/ports'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { RefObject } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { usePage } from '../../../page.ts'
import type { TimelineRow } from '../timeline.ts'

const markedMs = 2000

interface Place {
  rows: readonly TimelineRow[]
  state: ConversationState
  view: ConversationView | null
  scroller: RefObject<HTMLElement | null>
  list: RefObject<VirtualizerHandle | null>
  /** Ends the keeping of the reader at the end. */
  letGo: () => void
}

/**
 * Leads to a message, for which it loads earlier pages until the message is there, and marks it for two seconds.
 * `isSeeking` is true while pages are loaded.
 */
export function useGoToMessage({ rows, state, view, scroller, list, letGo }: Place) {
  const { toast } = usePage().toasts
  const [sought, setSought] = useState<ReplyTo | null>(null)
  const [marked, setMarked] = useState<string | null>(null)
  const { messages, hasOlder, loadingOlder } = state
  /** The last page was asked for before this seq. If the list still begins there, it did not come. */
  const askedBefore = useRef<number>(undefined)

  const seek = useEffectEvent(({ by, id, seq }: ReplyTo) => {
    const at = rows.findIndex(
      (row) => row.kind === 'message' && row.message.senderId === by && row.message.clientMessageId === id,
    )
    const row = rows[at]
    if (row?.kind === 'message') {
      letGo()
      list.current?.scrollToIndex(at, { align: 'center' })
      setMarked(row.key)
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

  const goTo = (re: ReplyTo) => {
    askedBefore.current = undefined
    setSought(re)
  }
  const onScrollEnd = () => focusMessage(scroller.current, marked)
  useEffect(() => focusMessage(scroller.current, marked), [scroller, marked])
  return { goTo, isSeeking: sought !== null, stop: () => setSought(null), marked, onScrollEnd }
}

/** Gives a message the focus, which does nothing before the list has measured and shown it. */
function focusMessage(scroller: HTMLElement | null, name: string | null): void {
  const messages = name === null ? [] : (scroller?.querySelectorAll<HTMLElement>('article') ?? [])
  for (const message of messages)
    if (message.dataset['message'] === name) message.focus({ preventScroll: true })
}
