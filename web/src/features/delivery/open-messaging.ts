import { serverNowMs } from '../../shared/lib/server-clock.ts'
import { platform } from '../device/platform.ts'
import { connectLive } from '@sumlock/sync/live-connection'
import { createOutbox } from '@sumlock/sync/outbox'
import { systemClock } from '@sumlock/sync/system-clock'
import { within } from '@sumlock/sync/within'
import { io } from 'socket.io-client'
import { loadCopies } from '../sealed/key-copies.ts'
import { ownKeys } from '../sealed/own-keys.ts'
import { sessionSecrets } from '../lock/session-secrets.ts'
import { pagePresence } from '../device/page-presence.ts'
import { fetchKeys, knownKeyBoxes } from '../sealed/sealed-api.ts'
import { withOpenedEvents, withOpenedPages } from '../sealed/sealed-sync.ts'
import { createSealedText } from '../sealed/sealed-text.ts'
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

/** What needs no connection. */
async function openTexts(userId: string) {
  const own = ownKeys.get() ?? loadCopies(userId)
  const text = createSealedText({
    ...{ userId, own, fetchKeys, boxes: knownKeyBoxes },
    // What is sealed tells when it was written: the clock of the device may be wrong.
    clock: { ...systemClock, nowMs: serverNowMs },
    presence: pagePresence,
  })
  const [store] = await Promise.all([fetchOutboxKey().then(openUnsentStore), own])
  return { text, store, drafts: await openDrafts(store) }
}

let ahead: { userId: string; texts: ReturnType<typeof openTexts> } | undefined

/** Begins during the pauses of an unlock. */
export function openAhead(userId: string): void {
  // A lock must replace this page.
  if (!sessionSecrets.holdsSecrets) return
  ahead = { userId, texts: openTexts(userId) }
  // Reported when messaging is opened.
  ahead.texts.catch(() => undefined)
}

async function open(userId: string): Promise<Messaging> {
  sessionSecrets.markSecret()
  const begun = ahead?.userId === userId ? ahead.texts : openTexts(userId)
  ahead = undefined
  const { text, store, drafts } = await begun
  const api = withOpenedPages(syncApi, text)
  const outbox = createOutbox({
    api,
    clock: systemClock,
    store: createOutboxStore(store),
    prepare: text.prepare,
  })
  const url = platform.serverUrl() || window.location.origin
  const live = withOpenedEvents(connectLive({ io, url, userId, clock: systemClock }), text)
  sessionSecrets.onFlush(async (timeoutMs) => {
    // A lock does not wait for a storage that hangs.
    const written = within(systemClock, timeoutMs, () => drafts.settled()).catch(() => undefined)
    await Promise.all([outbox.flush(timeoutMs), written])
  })
  const close = () => {
    live.close()
    outbox.close()
    store.close()
    text.close()
  }
  return { userId, api, live, outbox, drafts, unsent: store, text, close }
}
