import type { ServerEvent } from '@sumlock/contracts/socket'
import type { LiveState, OutboxItem } from '@sumlock/sync/ports'
import { reportSignedOut } from '../../api/request.ts'
import type { AppDispatch } from '../../app/store.ts'
import { toast } from '../../shared/ui/toast.ts'
import { hardReload } from '../lock/lock-now.ts'
import { isUnlocked } from '../session/is-unlocked.ts'
import { sessionApi } from '../session/session-api.ts'
import { conversationsChanged, limitsChanged, ownMessageStored } from './messaging-api.ts'
import type { Messaging } from './messaging-context.ts'

const checkEveryMs = 30_000

/** Refetches conversations, quota and plan when events say that they changed. Returns a function that stops it. */
export function followEvents({ live, outbox, userId }: Messaging, dispatch: AppDispatch): () => void {
  let wasConnected = live.state.connected
  const onEvent = (event: ServerEvent) => {
    if (event.type === 'locked') hardReload()
    else if (event.type === 'limits_changed') dispatch(limitsChanged())
    else if (event.type === 'new_message' && event.data.senderId === userId)
      dispatch(ownMessageStored(event.data))
    else if (event.type !== 'status') dispatch(conversationsChanged())
  }
  const checkSession = sessionCheck(dispatch)
  const onFocus = () => {
    live.reconnect()
    dispatch(limitsChanged())
  }
  const stops = [
    live.subscribe({
      onEvent,
      onFailedAttempt: () => void checkSession(),
      onState: ({ connected, refusal }) => {
        leaveIfRefused(refusal)
        // Events about the plan, too, may have been missed while the connection was lost.
        if (connected) dispatch(wasConnected ? limitsChanged() : conversationsChanged())
        wasConnected ||= connected
      },
    }),
    outbox.onStored((message) => void dispatch(ownMessageStored(message))),
    outbox.subscribe(
      reportFailures(
        () => outbox.items,
        () => void dispatch(limitsChanged()),
      ),
    ),
  ]
  leaveIfRefused(live.state.refusal)
  window.addEventListener('focus', onFocus)
  window.addEventListener('online', onFocus)
  return () => {
    window.removeEventListener('focus', onFocus)
    window.removeEventListener('online', onFocus)
    for (const stop of stops) stop()
  }
}

function leaveIfRefused(refusal: LiveState['refusal']): void {
  if (refusal === 'locked') hardReload()
  if (refusal === 'no_session') reportSignedOut()
}

/**
 * A browser cannot read why a socket was refused before the upgrade, so the user is fetched to learn whether the
 * session is unlocked.
 */
function sessionCheck(dispatch: AppDispatch): () => Promise<void> {
  let checkedAt = -Infinity
  return async () => {
    if (Date.now() - checkedAt < checkEveryMs) return
    checkedAt = Date.now()
    const options = { forceRefetch: true, subscribe: false }
    const { data } = await dispatch(sessionApi.endpoints.getUser.initiate(undefined, options))
    if (data && !isUnlocked(data)) hardReload()
  }
}

/** Shows each refused message once as a toast; it stays in the chat with its reason. */
function reportFailures(items: () => readonly OutboxItem[], onFailure: () => void): () => void {
  const reported = new Set<string>()
  return () => {
    for (const { status, failure, message } of items()) {
      if (status !== 'failed') reported.delete(message.clientMessageId)
      else if (!reported.has(message.clientMessageId)) {
        reported.add(message.clientMessageId)
        toast({
          title: 'Failed to send message',
          description: failure?.message ?? 'Please try again.',
          variant: 'destructive',
        })
        onFailure()
      }
    }
  }
}
