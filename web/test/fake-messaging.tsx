import type { Message } from '@sumlock/contracts/messaging-routes'
import { createListeners } from '@sumlock/sync/listeners'
import { createOutbox } from '@sumlock/sync/outbox'
import { systemClock } from '@sumlock/sync/system-clock'
import { fakeLive } from '@sumlock/sync/test-support/fake-live'
import type { ReactNode } from 'react'
import { Provider } from 'react-redux'
import { createListChanges } from '../src/features/conversations/list-changes.ts'
import type { Session } from '../src/features/conversations/open-session.ts'
import { storedRows } from '../src/features/conversations/stored-rows.ts'
import { followLoss } from '../src/features/delivery/connection-loss.ts'
import { watchVanishing } from '../src/features/delivery/watch-vanishing.ts'
import { openDrafts } from '../src/features/delivery/drafts.ts'
import { createSyncApi } from '../src/features/delivery/sync-api.ts'
import { openUnsentStore } from '../src/features/delivery/unsent-store.ts'
import { browserNetwork } from '../src/features/device/network.ts'
import { noKeys } from '../src/features/sealed/own-keys.ts'
import { withOpenedEvents, withOpenedPages } from '../src/features/sealed/sealed-sync.ts'
import { createSealedText } from '../src/features/sealed/sealed-text.ts'
import type { SealedText } from '../src/features/sealed/sealed-text.ts'
import { PageContext, SessionContext } from '../src/page.ts'
import { client, media, store, testPage } from './page.ts'

/** Sealing for the person `me` without keys: every text stays plain. */
const textWithoutKeys = () =>
  createSealedText({
    userId: 'me',
    own: Promise.resolve(noKeys),
    rows: storedRows(testPage),
    fetchKeys: () => Promise.resolve([]),
    boxes: { read: () => Promise.resolve({ version: 0, box: null }), write: () => Promise.resolve(true) },
    clock: systemClock,
    presence: { isVisible: () => true, onReturn: () => () => undefined },
  })

/** The session of the person `me`. The test sets the events and states of its connection. */
export async function fakeMessaging(
  initial?: Parameters<typeof fakeLive>[0],
  text: SealedText = textWithoutKeys(),
) {
  const { live: bare, ...connection } = fakeLive(initial)
  const live = withOpenedEvents(bare, text)
  const api = withOpenedPages(createSyncApi(client), text)
  const outbox = createOutbox({ api, clock: systemClock, prepare: text.prepare, prepareAct: text.prepareAct })
  const stored = createListeners<[Message]>()
  outbox.onStored(stored.emit)
  outbox.onStored = stored.add
  const unsent = await openUnsentStore(undefined)
  const drafts = await openDrafts(unsent)
  const list = createListChanges()
  const views: Session['views'] = new Map()
  const vanishing = watchVanishing(client.nowMs, { outbox, drafts, views, userId: 'me' })
  const session: Session = {
    ...{ userId: 'me', outboxKey: undefined, api, live, outbox, drafts, unsent, text, list },
    loss: followLoss(live, systemClock, browserNetwork),
    media,
    ...{ vanishing, views },
    flush: async (timeoutMs) => void (await outbox.flush(timeoutMs)),
    close() {
      vanishing.close()
      outbox.close()
    },
  }
  testPage.opening = {
    userId: 'me',
    list,
    texts: new Promise(() => undefined),
    session: Promise.resolve(session),
  }
  testPage.session = session
  const Wrapper = ({ children }: { children: ReactNode }) => (
    <PageContext value={testPage}>
      <Provider store={store}>
        <SessionContext value={session}>{children}</SessionContext>
      </Provider>
    </PageContext>
  )
  /** As if the server had answered a send. */
  const tellStored = stored.emit
  return { ...session, session, connection, tellStored, Wrapper }
}

/** The stored message with this seq in the conversation `c`. */
export const messageAt = (seq: number, change: Partial<Message> = {}): Message => ({
  id: `m${seq}`,
  conversationId: 'c',
  senderId: 'other',
  seq,
  content: `no. ${seq}`,
  messageType: 'text',
  mediaUrl: null,
  isRead: false,
  createdAt: new Date(Date.UTC(2026, 10, 23) + seq * 1000).toISOString(),
  clientMessageId: `client-${seq}`,
  ...change,
})
