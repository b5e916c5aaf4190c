import type { Message } from '@sumlock/contracts/messaging-routes'
import type { ServerEvent } from '@sumlock/contracts/socket'
import type { LiveState, OutboxItem } from '@sumlock/sync/ports'
import { loadOfflineParts } from '../../app/chunks/unlocked.tsx'
import type { AppDispatch, RootState } from '../../api/store.ts'
import type { Toasts } from '../../shared/ui/toasts.ts'
import { leaveDeleted } from './conversation-views.ts'
import { conversationDeleted, conversationNamed, messagesRead, messageStored } from './conversation-list.ts'
import type { ListRefresher } from './list-refresher.ts'
import { changeList, listOf } from './messaging-api.ts'
import type { Page } from '../../page.ts'
import type { Session } from './open-session.ts'

/**
 * Keeps list, quota and plan up to date: changes the list by events, asks what has changed when events may have been
 * missed, and fetches when they say that limits changed. Returns a function that stops it.
 */
export function followEvents(
  page: Page,
  { live, outbox, userId }: Pick<Session, 'live' | 'outbox' | 'userId'>,
  dispatch: AppDispatch,
  refresher: ListRefresher,
): () => void {
  const { lock, toasts } = page
  const onStored = (message: Message) => {
    const isLimited = message.senderId === userId && dispatch(mayCount(message))
    dispatch(changeList(messageStored(message, userId)))
    if (isLimited) refresher.limits()
  }
  const forget = (conversationId: string) => {
    dispatch(changeList(conversationDeleted(conversationId)))
    leaveDeleted(page, conversationId)
  }
  const onEvent = (event: ServerEvent) => {
    if (event.type === 'locked') lock.dispatch('said-locked')
    else if (event.type === 'limits_changed') refresher.limits()
    else if (event.type === 'new_message') onStored(event.data)
    else if (event.type === 'message_read') dispatch(changeList(messagesRead(event.data, userId)))
    else if (event.type === 'conversation_deleted') forget(event.data.conversationId)
    else if (event.type === 'conversation_changed') refresher.list()
    else if (event.type === 'conversation_started')
      dispatch(changeList(conversationNamed(event.data.conversationId)))
  }
  let check: (() => Promise<void>) | undefined
  const checkSession = async () => {
    check ??= (await loadOfflineParts())?.createSessionCheck(dispatch)
    await check?.()
  }
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
        leaveIfRefused(page, refusal)
        if (!connected || degraded) return
        refresher.changes()
      },
    }),
    outbox.onStored(onStored),
    outbox.subscribe(reportFailures(toasts, () => outbox.items, refresher.limits)),
  ]
  leaveIfRefused(page, live.state.refusal)
  if (live.state.connected) refresher.changes()
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

function leaveIfRefused({ lock, client }: Page, refusal: LiveState['refusal']): void {
  if (refusal === 'locked') lock.dispatch('said-locked')
  if (refusal === 'no_session') client.reportSignedOut()
}

/** Shows each refused message once as a toast; it stays in the chat with its reason. */
function reportFailures(
  { toast }: Toasts,
  items: () => readonly OutboxItem[],
  onFailure: () => void,
): () => void {
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
