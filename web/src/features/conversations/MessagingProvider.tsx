import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import { systemClock } from '@sumlock/sync/system-clock'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useAppDispatch } from '../../api/store.ts'
import { SessionContext, usePage } from '../../page.ts'
import { useAuth } from '../session/auth-context.ts'
import { followEvents } from './follow-events.ts'
import { createListRefresher } from './list-refresher.ts'
import type { ListRefresher } from './list-refresher.ts'
import { listOf, messagingApi } from './messaging-api.ts'
import type { Session } from './open-session.ts'
import { sessionOf } from './session-of.ts'
import { useLimitTimer } from './use-limit-timer.ts'

/** Provides the session to all screens behind the lock. */
export function MessagingProvider({ userId, children }: { userId: string; children: ReactNode }) {
  const page = usePage()
  const { user } = useAuth()
  const dispatch = useAppDispatch()
  const [session, setSession] = useState<Session | null>(null)

  useEffect(() => {
    let isCurrent = true
    void sessionOf(page, userId).then(async (opened) => {
      if (!isCurrent) return
      // If the list arrived while the session was opening, the screen waits until the list can be shown with it.
      if (page.opening?.isListFetched && !listOf(page.store.getState()))
        await dispatch(messagingApi.util.getRunningQueryThunk('listConversations', undefined))
      // The unsent messages of an earlier page can be sealed and sent only after their conversations are loaded.
      opened.outbox.kick()
      if (isCurrent) setSession(opened)
    })
    return () => {
      isCurrent = false
    }
  }, [page, userId, dispatch])
  // The subscription fetches the list while the session opens, and keeps it in the cache on screens that do not show
  // it.
  useEffect(() => dispatch(messagingApi.endpoints.listConversations.initiate()).unsubscribe, [dispatch])
  const refresher = useRef<ListRefresher>(null)
  useEffect(() => {
    if (!session) return
    const opened = createListRefresher(page, session, dispatch, systemClock)
    refresher.current = opened
    const stop = followEvents(page, session, dispatch, opened)
    return () => {
      stop()
      opened.close()
    }
  }, [page, session, dispatch])
  useLimitTimer(user && isWholeUser(user) ? user.subscriptionExpiresAt : null, () =>
    refresher.current?.limits(),
  )
  return <SessionContext value={session}>{children}</SessionContext>
}
