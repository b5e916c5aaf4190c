import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useSession } from '../../../page.ts'
import { useShownMessages } from '../use-conversation.ts'
import { createFinder, newerThan, olderThan, placeOf, toNeedle } from './found-messages.ts'
import type { Found } from './found-messages.ts'
import { useOlderPages } from './use-older-pages.ts'

/** A person who is still typing adds a letter within this time, so no page is loaded before. */
const typingMs = 400

/** An older match is sought among the loaded messages, or also in pages that are loaded for it. */
type Seeking = 'loaded' | 'pages' | null

/** Searches the opened texts of a conversation on this device. `lead` shows the message of a match. */
export function useSearch(conversationId: string, lead: (found: Found) => void) {
  const { state } = useShownMessages(conversationId)
  const view = useSession().views.get(conversationId)
  const [needle, setNeedle] = useState('')
  const [at, setAt] = useState<Found | null>(null)
  const [seeking, setSeeking] = useState<Seeking>(null)
  const [find] = useState(createFinder)
  const { messages, hasOlder } = state
  const found = useMemo(() => find(messages, needle), [find, messages, needle])
  const older = olderThan(found, at)
  const newer = newerThan(found, at)

  const go = (to: Found) => {
    setSeeking(null)
    setAt(to)
    lead(to)
  }
  const goToSought = useEffectEvent(() => {
    if (seeking !== null && older) go(older)
  })
  // With the needle: two letters that are typed at once may begin and end with the same state of the search.
  useEffect(() => goToSought(), [seeking, older, needle])
  useEffect(() => {
    if (seeking !== 'loaded') return
    const timer = setTimeout(() => setSeeking('pages'), typingMs)
    return () => clearTimeout(timer)
  }, [seeking, needle])

  const pages = useOlderPages(state, view, seeking === 'pages' && !older)
  return {
    ...{ needle, at, hasOlder },
    /** The newest messages are not loaded yet; they come without a request of the search. */
    isIncomplete: !state.loaded || state.hasNewer,
    hasFailedToLoad: state.error !== null,
    total: found.length,
    place: placeOf(found, at),
    isSeeking: seeking === 'pages' && hasOlder,
    isFailed: pages.isFailed,
    retry: pages.retry,
    /** The time of the oldest message that was searched. */
    searchedTo: messages[0]?.createdAt,
    search(query: string) {
      const next = toNeedle(query)
      if (next === needle) return
      setNeedle(next)
      setAt(null)
      setSeeking(next === '' ? null : 'loaded')
    },
    canGoToOlder: needle !== '' && (older !== undefined || hasOlder),
    goToOlder() {
      if (older) go(older)
      else if (needle !== '' && hasOlder) setSeeking('pages')
    },
    canGoToNewer: newer !== undefined,
    goToNewer: () => newer && go(newer),
    stop: () => setSeeking(null),
  }
}
