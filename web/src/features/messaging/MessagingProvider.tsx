import { connectLive } from '@sumlock/sync/live-connection'
import { createOutbox } from '@sumlock/sync/outbox'
import type { OutboxItem } from '@sumlock/sync/ports'
import { systemClock } from '@sumlock/sync/system-clock'
import { useEffect, useState } from 'react'
import { Outlet } from 'react-router-dom'
import { io } from 'socket.io-client'
import { useAppDispatch } from '../../app/store.ts'
import { toast } from '../../shared/ui/toast.ts'
import { heap } from '../lock/heap.ts'
import { beginAnew } from '../lock/lock-now.ts'
import { useAuth } from '../session/auth-context.ts'
import { createEncryptedOutboxStore } from './encrypted-outbox-store.ts'
import { MessagingContext } from './messaging-context.ts'
import type { Messaging } from './messaging-context.ts'
import { conversationsChanged, syncApi } from './messaging-api.ts'

/** Holds the live connection and the outbox while the messages are open. */
export function MessagingProvider() {
  const { user } = useAuth()
  const dispatch = useAppDispatch()
  const [messaging, setMessaging] = useState<Messaging | null>(null)
  const userId = user?.id

  useEffect(() => {
    if (!userId) return
    heap.markSecret()
    const live = connectLive({ io, url: window.location.origin, userId, clock: systemClock })
    const store = heap.key ? { store: createEncryptedOutboxStore(heap.key) } : {}
    const outbox = createOutbox({ api: syncApi, clock: systemClock, ...store })
    heap.onFlush(async (timeoutMs) => {
      await outbox.flush(timeoutMs)
    })
    const changed = () => void dispatch(conversationsChanged())
    const stops = [
      live.subscribe({
        onEvent: (event) => {
          if (event.type === 'locked') beginAnew()
          else if (event.type !== 'status') changed()
        },
        onState: ({ connected }) => {
          if (connected) changed()
        },
      }),
      outbox.onStored(changed),
      outbox.subscribe(reportFailures(() => outbox.items, changed)),
    ]
    const onFocus = () => {
      live.reconnect()
      changed()
    }
    window.addEventListener('focus', onFocus)
    window.addEventListener('online', onFocus)
    setMessaging({ userId, live, outbox })
    return () => {
      window.removeEventListener('focus', onFocus)
      window.removeEventListener('online', onFocus)
      for (const stop of stops) stop()
      live.close()
      outbox.close()
    }
  }, [userId, dispatch])

  if (!messaging) return null
  return (
    <MessagingContext value={messaging}>
      <Outlet />
    </MessagingContext>
  )
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
