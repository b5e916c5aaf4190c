import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useAppDispatch } from '../../app/store.ts'
import { useAuth } from '../session/auth-context.ts'
import { followEvents } from './follow-events.ts'
import { limitsChanged } from './messaging-api.ts'
import { MessagingContext } from './messaging-context.ts'
import type { Messaging } from './messaging-context.ts'
import { openMessaging } from './open-messaging.ts'
import { useLimitTimer } from './use-limit-timer.ts'

/** Holds the live connection, the outbox and the drafts above all screens of an unlocked session. */
export function MessagingProvider({ userId, children }: { userId: string; children: ReactNode }) {
  const { user } = useAuth()
  const dispatch = useAppDispatch()
  const [messaging, setMessaging] = useState<Messaging | null>(null)

  useEffect(() => {
    let isCurrent = true
    void openMessaging(userId).then((opened) => {
      if (isCurrent) setMessaging(opened)
    })
    return () => {
      isCurrent = false
    }
  }, [userId])
  useEffect(() => (messaging ? followEvents(messaging, dispatch) : undefined), [messaging, dispatch])
  useLimitTimer(
    user && isWholeUser(user) ? user.subscriptionExpiresAt : null,
    () => void dispatch(limitsChanged()),
  )
  return <MessagingContext value={messaging}>{children}</MessagingContext>
}
