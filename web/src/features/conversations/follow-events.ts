import type { ServerEvent } from '@sumlock/contracts/socket'
import type { LiveState, OutboxItem } from '@sumlock/sync/ports'
import { loadOfflineParts } from '../../app/chunks/unlocked.tsx'
import type { AppDispatch } from '../../api/store.ts'
import type { Toasts } from '../../shared/ui/toasts.ts'
import type { ListRefresher } from './list-refresher.ts'
import type { Page } from '../../page.ts'
import type { Session } from './open-session.ts'
import { reportRefused } from './report-refused.ts'

/**
 * Follows events and the connection: fetches the changes of the list if events may have been missed, and the list and
 * the user if quota or plan may have changed. `follow-list.ts` applies the events that change the list. Returns a
 * function that ends this.
 */
export function followEvents(
  page: Page,
  session: Pick<Session, 'live' | 'outbox' | 'list' | 'views' | 'drafts'>,
  dispatch: AppDispatch,
  refresher: ListRefresher,
): () => void {
  const { live, outbox, list } = session
  const { lock, toasts } = page
  const onEvent = (event: ServerEvent) => {
    if (event.type === 'locked') lock.dispatch('said-locked')
    else if (event.type === 'limits_changed') refresher.limits()
    else if (event.type === 'conversation_changed') refresher.list()
    else if (event.type === 'message_changed') refresher.changes()
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
      onError: (reason) => console.warn(`The live connection was lost: ${reason}`),
      onState: ({ connected, degraded, refusal }) => {
        leaveIfRefused(page, refusal)
        if (!connected || degraded) return
        refresher.changes()
      },
    }),
    list.onCounted(refresher.limits),
    outbox.onRefused((act, failure) => reportRefused(page, session, act, failure)),
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

function leaveIfRefused({ lock, client }: Page, refusal: LiveState['refusal']): void {
  if (refusal === 'locked') lock.dispatch('said-locked')
  if (refusal === 'no_session') client.reportSignedOut()
}

/** Shows each refused message once as a toast. The message stays in the chat with its reason. */
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
