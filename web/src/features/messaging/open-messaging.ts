import { platform } from '../../shared/lib/platform.ts'
import { connectLive } from '@sumlock/sync/live-connection'
import { createOutbox } from '@sumlock/sync/outbox'
import { systemClock } from '@sumlock/sync/system-clock'
import { io } from 'socket.io-client'
import { sessionSecrets } from '../lock/session-secrets.ts'
import { openDrafts } from './drafts.ts'
import type { Messaging } from './messaging-context.ts'
import { fetchOutboxKey } from './outbox-key.ts'
import { createOutboxStore } from './outbox-store.ts'
import { syncApi } from './sync-api.ts'
import { openUnsentStore } from './unsent-store.ts'

let current: { userId: string; opening: Promise<Messaging> } | undefined

/**
 * The connection, outbox and drafts of this page. They outlive the screens, because a lock still sends unsent messages
 * after the calculator is shown; they end with the page, which a lock and a logout replace.
 */
export function openMessaging(userId: string): Promise<Messaging> {
  if (current?.userId !== userId) {
    void current?.opening.then(({ close }) => close())
    current = { userId, opening: open(userId) }
  }
  return current.opening
}

async function open(userId: string): Promise<Messaging> {
  sessionSecrets.markSecret()
  const store = await openUnsentStore(await fetchOutboxKey())
  const drafts = await openDrafts(store)
  const outbox = createOutbox({ api: syncApi, clock: systemClock, store: createOutboxStore(store) })
  const live = connectLive({
    io,
    url: platform.serverUrl() || window.location.origin,
    userId,
    clock: systemClock,
  })
  sessionSecrets.onFlush(async (timeoutMs) => {
    await Promise.all([outbox.flush(timeoutMs), drafts.settled()])
  })
  const close = () => {
    live.close()
    outbox.close()
    store.close()
  }
  return { userId, live, outbox, drafts, close }
}
