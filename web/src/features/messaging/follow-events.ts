import type { Message } from '@sumlock/contracts/messaging-routes'
import type { ServerEvent } from '@sumlock/contracts/socket'
import type { LiveState, OutboxItem } from '@sumlock/sync/ports'
import { reportSignedOut } from '../../api/request.ts'
import type { AppDispatch, RootState } from '../../app/store.ts'
import { page } from '../../shared/lib/page.ts'
import { toast } from '../../shared/ui/toast.ts'
import { hardReload } from '../lock/lock-now.ts'
import { isUnlocked } from '../session/is-unlocked.ts'
import { sessionApi } from '../session/session-api.ts'
import { conversationDeleted, conversationNamed, messagesRead, messageStored } from './conversation-list.ts'
import { viewOf } from './conversation-views.ts'
import type { ListRefresher } from './list-refresher.ts'
import { changeList, listOf } from './messaging-api.ts'
import type { Messaging } from './messaging-context.ts'

const checkEveryMs = 30_000

/**
 * Keeps list, quota and plan up to date: changes the list by events, and fetches when events may have been missed or say
 * that limits changed. Returns a function that stops it.
 */
export function followEvents(
  { live, outbox, userId }: Messaging,
  dispatch: AppDispatch,
  refresher: ListRefresher,
): () => void {
  let wasConnected = live.state.connected
  const onStored = (message: Message) => {
    const isLimited = message.senderId === userId && dispatch(mayCount(message))
    dispatch(changeList(messageStored(message, userId)))
    if (isLimited) refresher.limits()
  }
  /** Its messages may be in memory: only a new page forgets them. */
  const forget = (conversationId: string) => {
    dispatch(changeList(conversationDeleted(conversationId)))
    if (viewOf(conversationId)) page.replace('/messaging')
  }
  const onEvent = (event: ServerEvent) => {
    if (event.type === 'locked') hardReload()
    else if (event.type === 'limits_changed') refresher.limits()
    else if (event.type === 'new_message') onStored(event.data)
    else if (event.type === 'message_read') dispatch(changeList(messagesRead(event.data, userId)))
    else if (event.type === 'conversation_deleted') forget(event.data.conversationId)
    else if (event.type === 'conversation_changed') refresher.list()
    else if (event.type === 'conversation_started')
      dispatch(changeList(conversationNamed(event.data.conversationId)))
  }
  const checkSession = sessionCheck(dispatch)
  const onFocus = () => {
    live.reconnect()
    refresher.limits()
  }
  const stops = [
    live.subscribe({
      onEvent,
      onFailedAttempt: () => void checkSession(),
      onError: (reason) => console.warn(`Connection lost: ${reason}`),
      onState: ({ connected, degraded, refusal }) => {
        leaveIfRefused(refusal)
        if (!connected || degraded) return
        // Events about the plan, too, may have been missed while the connection was lost.
        if (wasConnected) refresher.limits()
        else refresher.list()
        wasConnected = true
      },
    }),
    outbox.onStored(onStored),
    outbox.subscribe(reportFailures(() => outbox.items, refresher.limits)),
  ]
  leaveIfRefused(live.state.refusal)
  if (wasConnected) refresher.list()
  window.addEventListener('focus', onFocus)
  window.addEventListener('online', onFocus)
  return () => {
    window.removeEventListener('focus', onFocus)
    window.removeEventListener('online', onFocus)
    for (const stop of stops) stop()
  }
}

/** Whether an own message is news, and may have used a free one. */
const mayCount =
  ({ conversationId, seq }: Message) =>
  (_dispatch: AppDispatch, getState: () => RootState): boolean => {
    const known = listOf(getState())?.find(({ id }) => id === conversationId)
    return !known || (!known.unlimited && seq > known.lastSeq)
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
