import type { ServerEvent } from '@sumlock/contracts/socket'
import type { OutboxItem } from '@sumlock/sync/ports'
import type { AppDispatch } from '../../app/store.ts'
import { toast } from '../../shared/ui/toast.ts'
import { beginAnew } from '../lock/lock-now.ts'
import { conversationsChanged, limitsChanged, ownMessageStored } from './messaging-api.ts'
import type { Messaging } from './messaging-context.ts'

/** Keeps what the screens show of conversations, quota and plan up to date. Returns the way to stop. */
export function followEvents({ live, outbox, userId }: Messaging, dispatch: AppDispatch): () => void {
  let wasConnected = live.state.connected
  const onEvent = (event: ServerEvent) => {
    if (event.type === 'locked') beginAnew()
    else if (event.type === 'limits_changed') dispatch(limitsChanged())
    else if (event.type === 'new_message' && event.data.senderId === userId)
      dispatch(ownMessageStored(event.data))
    else if (event.type !== 'status') dispatch(conversationsChanged())
  }
  const onFocus = () => {
    live.reconnect()
    dispatch(limitsChanged())
  }
  const stops = [
    live.subscribe({
      onEvent,
      onState: ({ connected }) => {
        // Events were missed while the connection was away, of the plan as well.
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
  window.addEventListener('focus', onFocus)
  window.addEventListener('online', onFocus)
  return () => {
    window.removeEventListener('focus', onFocus)
    window.removeEventListener('online', onFocus)
    for (const stop of stops) stop()
  }
}

/** A message the server refused is told once; it stays in the chat with its reason. */
function reportFailures(items: () => readonly OutboxItem[], onFailure: () => void): () => void {
  const told = new Set<string>()
  return () => {
    for (const { status, failure, message } of items()) {
      if (status !== 'failed') told.delete(message.clientMessageId)
      else if (!told.has(message.clientMessageId)) {
        told.add(message.clientMessageId)
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
