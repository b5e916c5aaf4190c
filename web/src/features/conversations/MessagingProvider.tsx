import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import { systemClock } from '@sumlock/sync/system-clock'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useAppDispatch } from '../../api/store.ts'
import type { AppDispatch, RootState } from '../../api/store.ts'
import { useAuth } from '../session/auth-context.ts'
import { followEvents } from './follow-events.ts'
import { createListRefresher } from './list-refresher.ts'
import type { ListRefresher } from './list-refresher.ts'
import { listOf, messagingApi } from './messaging-api.ts'
import { MessagingContext } from '../delivery/messaging-context.ts'
import type { Messaging } from '../delivery/messaging-context.ts'
import { openMessaging } from '../delivery/open-messaging.ts'
import { setPresentMessaging, takeList } from './present-messaging.ts'
import { useLimitTimer } from './use-limit-timer.ts'

/** Opens what was fetched before messaging was open. */
const openPreviews = (_dispatch: AppDispatch, getState: () => RootState) => takeList(listOf(getState()) ?? [])

/** Holds the live connection, the outbox and the drafts above all screens of an unlocked session. */
export function MessagingProvider({ userId, children }: { userId: string; children: ReactNode }) {
  const { user } = useAuth()
  const dispatch = useAppDispatch()
  const [messaging, setMessaging] = useState<Messaging | null>(null)

  useEffect(() => {
    let isCurrent = true
    void openMessaging(userId).then(async (opened) => {
      if (!isCurrent) return
      await Promise.all([setPresentMessaging(opened), dispatch(openPreviews)])
      // Left from an earlier page, they waited for the conversations to be known.
      opened.outbox.kick()
      if (isCurrent) setMessaging(opened)
    })
    return () => {
      isCurrent = false
    }
  }, [userId, dispatch])
  // The list stays in the cache on screens that do not show it, and is fetched while messaging opens.
  useEffect(() => dispatch(messagingApi.endpoints.listConversations.initiate()).unsubscribe, [dispatch])
  const refresher = useRef<ListRefresher>(null)
  useEffect(() => {
    if (!messaging) return
    const opened = createListRefresher(messaging.live, dispatch, systemClock)
    refresher.current = opened
    const stop = followEvents(messaging, dispatch, opened)
    return () => {
      stop()
      opened.close()
    }
  }, [messaging, dispatch])
  useLimitTimer(user && isWholeUser(user) ? user.subscriptionExpiresAt : null, () =>
    refresher.current?.limits(),
  )
  return <MessagingContext value={messaging}>{children}</MessagingContext>
}
