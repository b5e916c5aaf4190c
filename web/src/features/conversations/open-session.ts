import { connectLive } from '@sumlock/sync/live-connection'
import type { OpenSocket } from '@sumlock/sync/live-connection'
import type { ConversationView } from '@sumlock/sync/conversation-view'
import { createOutbox } from '@sumlock/sync/outbox'
import type { Outbox } from '@sumlock/sync/outbox'
import type { LiveConnection, SyncApi } from '@sumlock/sync/ports'
import { systemClock } from '@sumlock/sync/system-clock'
import type { VanishWatch } from '@sumlock/sync/vanishing'
import { within } from '@sumlock/sync/within'
import type { Page } from '../../page.ts'
import { followLoss } from '../delivery/connection-loss.ts'
import type { ConnectionLoss } from '../delivery/connection-loss.ts'
import { openDrafts } from '../delivery/drafts.ts'
import type { Drafts } from '../delivery/drafts.ts'
import { createOutboxStore } from '../delivery/outbox-store.ts'
import { createSyncApi } from '../delivery/sync-api.ts'
import { openUnsentStore } from '../delivery/unsent-store.ts'
import type { UnsentStore } from '../delivery/unsent-store.ts'
import { watchVanishing } from '../delivery/watch-vanishing.ts'
import { browserNetwork } from '../device/network.ts'
import { pagePresence } from '../device/page-presence.ts'
import { platform } from '../device/platform.ts'
import { createMedia } from '../media/media.ts'
import type { Media } from '../media/media.ts'
import type { OwnKeys } from '../sealed/own-keys.ts'
import { createSealedApi } from '../sealed/sealed-api.ts'
import { withOpenedEvents, withOpenedPages } from '../sealed/sealed-sync.ts'
import { createSealedText } from '../sealed/sealed-text.ts'
import type { SealedText } from '../sealed/sealed-text.ts'
import type { ListChanges } from './list-changes.ts'
import { forgetConversations } from './forget-conversations.ts'
import { storedRows } from './stored-rows.ts'

/** Holds everything that is open for a person from an unlock to the lock. */
export interface Session {
  readonly userId: string
  readonly outboxKey: string | undefined
  readonly text: SealedText
  readonly api: SyncApi
  readonly live: LiveConnection
  readonly loss: ConnectionLoss
  readonly outbox: Outbox
  readonly drafts: Drafts
  /** Whether all unsent text would survive a reload. */
  readonly unsent: Pick<UnsentStore, 'isFull' | 'subscribe'>
  readonly media: Media
  readonly list: ListChanges
  /** Lets messages and previews vanish in time. */
  readonly vanishing: VanishWatch
  /** Each conversation whose messages are in the cache has a view here, by its id. */
  readonly views: Map<string, ConversationView>
  /** Sends and stores unsent text within the time limit. */
  flush: (timeoutMs: number) => Promise<void>
  /** Stops sending and writing, and removes all text, keys and files. */
  close: () => void
}

export interface SessionStart {
  userId: string
  outboxKey: Promise<string | undefined>
  keys: Promise<OwnKeys>
}

/** Opens the parts of a session that need no live connection. */
export async function openTexts(page: Page, { userId, outboxKey, keys }: SessionStart) {
  const { client } = page
  const { fetchKeys, boxes } = createSealedApi(client)
  const text = createSealedText({
    ...{ userId, own: keys, rows: storedRows(page), fetchKeys, boxes },
    // A sealed message states its time of writing, so the server's clock replaces a device clock that may be wrong.
    clock: { ...systemClock, nowMs: client.nowMs },
    presence: pagePresence,
  })
  const [store] = await Promise.all([outboxKey.then(openUnsentStore), keys])
  const drafts = await openDrafts(store)
  /** Stops all writes, and removes text and keys from memory. */
  const close = () => {
    drafts.close()
    store.close()
    text.close()
  }
  return { text, store, drafts, outboxKey: await outboxKey, close }
}

export type Texts = Awaited<ReturnType<typeof openTexts>>

interface SessionOptions extends Texts {
  userId: string
  list: ListChanges
  io: OpenSocket
}

/** Connects, and starts to send the messages that an earlier page could not send. */
export function openSession(page: Page, options: SessionOptions): Session {
  const { userId, io, store, text, drafts, list, close: closeTexts } = options
  let { outboxKey } = options
  const api = withOpenedPages(createSyncApi(page.client), text)
  const outboxStore = createOutboxStore(store)
  const outbox = createOutbox({
    api,
    clock: systemClock,
    store: outboxStore,
    prepare: text.prepare,
    prepareAct: text.prepareAct,
  })
  const url = platform.serverUrl() || window.location.origin
  const live = withOpenedEvents(connectLive({ io, url, userId, clock: systemClock }), text)
  const loss = followLoss(live, systemClock, browserNetwork)
  const media = createMedia(page, { unsent: store, loss })
  const views = new Map<string, ConversationView>()
  const vanishing = watchVanishing(page.client.nowMs, { outbox, drafts, views, userId })
  return {
    ...{ userId, text, drafts, list, api, live, loss, outbox, unsent: store, media, vanishing, views },
    get outboxKey() {
      return outboxKey
    },
    async flush(timeoutMs) {
      // Drafts may never settle, because the storage of the device may hang.
      const written = within(systemClock, timeoutMs, () => drafts.settled()).catch(() => undefined)
      await Promise.all([outbox.flush(timeoutMs), written, media.late.once?.finish(timeoutMs)])
    },
    close() {
      vanishing.close()
      loss.close()
      live.close()
      for (const view of views.values()) view.close()
      views.clear()
      outbox.close()
      outboxStore.forget()
      closeTexts()
      media.close()
      outboxKey = undefined
      page.store.dispatch(forgetConversations())
    },
  }
}
