import type { ConversationState } from '@sumlock/sync/known-messages'
import { useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'
import type { VirtualizerHandle } from 'virtua'
import type { TimelineRow } from './timeline.ts'
import { useStayAtEnd } from './use-stay-at-end.ts'

/** The unread line stands this far below the top of the list, so that a bit of the message before it can be seen. */
const aboveLinePx = 40

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
export function useReadersPlace(
  { messages, hasNewer }: ConversationState,
  { scroller, list, rows, waiting }: PlaceInput,
) {
  const line = rows.findIndex(({ kind }) => kind === 'unread')
  const { isAtEnd, goToEnd, goToLine, letGo } = useStayAtEnd(scroller, {
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
  return { isAtEnd, goToEnd, letGo }
}
