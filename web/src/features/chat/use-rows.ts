import type { Conversation } from '@sumlock/contracts/messaging-routes'
import type { ConversationState } from '@sumlock/sync/known-messages'
import type { OutboxItem } from '@sumlock/sync/ports'
import { useMemo, useState } from 'react'
import { useSession } from '../../page.ts'
import type { Upload } from '../media/uploads.ts'
import { createTimeline, firstUnread } from './timeline.ts'
import type { TimelineRow } from './timeline.ts'

interface RowsInput {
  pending: readonly OutboxItem[]
  isWithheld: boolean
  uploads: readonly Upload[]
  timer: Conversation['timer']
}

/** Builds the rows of the list again only if one of their inputs has changed. */
export function useRows(
  state: ConversationState,
  { pending, isWithheld, uploads, timer }: RowsInput,
): TimelineRow[] {
  const { messages, loaded, hasOlder, hasNewer } = state
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
        timer: loaded ? timer : undefined,
        isEnd: !hasNewer,
        unreadFrom: unreadFrom ?? null,
        isBeginning: !hasOlder,
        isWhole: loaded && !hasOlder && !isWithheld,
      }),
    [
      buildTimeline,
      messages,
      pending,
      uploads,
      userId,
      timer,
      unreadFrom,
      loaded,
      hasOlder,
      hasNewer,
      isWithheld,
    ],
  )
}
