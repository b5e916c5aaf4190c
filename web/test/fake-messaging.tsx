import type { Message } from '@sumlock/contracts/messaging-routes'
import { createOutbox } from '@sumlock/sync/outbox'
import { systemClock } from '@sumlock/sync/system-clock'
import { fakeLive } from '@sumlock/sync/test-support/fake-live'
import type { ReactNode } from 'react'
import { Provider } from 'react-redux'
import { store } from '../src/api/store.ts'
import { openDrafts } from '../src/features/delivery/drafts.ts'
import { noKeys } from '../src/features/sealed/own-keys.ts'
import { withOpenedEvents, withOpenedPages } from '../src/features/sealed/sealed-sync.ts'
import { createSealedText } from '../src/features/sealed/sealed-text.ts'
import type { SealedText } from '../src/features/sealed/sealed-text.ts'
import { MessagingContext } from '../src/features/delivery/messaging-context.ts'
import type { Messaging } from '../src/features/delivery/messaging-context.ts'
import { setPresentMessaging } from '../src/features/conversations/present-messaging.ts'
import { syncApi } from '../src/features/delivery/sync-api.ts'
import { openUnsentStore } from '../src/features/delivery/unsent-store.ts'

/** Sealing for the person `me` without keys: everything is plain. */
const textWithoutKeys = () =>
  createSealedText({
    userId: 'me',
    own: Promise.resolve(noKeys),
    fetchKeys: () => Promise.resolve([]),
    boxes: { read: () => Promise.resolve({ version: 0, box: null }), write: () => Promise.resolve(true) },
    clock: systemClock,
    presence: { isVisible: () => true, onReturn: () => () => undefined },
  })

/** Messaging of the person `me` with a connection whose events and states are set by the test. */
export async function fakeMessaging(
  initial?: Parameters<typeof fakeLive>[0],
  text: SealedText = textWithoutKeys(),
) {
  const { live: bare, ...connection } = fakeLive(initial)
  const live = withOpenedEvents(bare, text)
  const api = withOpenedPages(syncApi, text)
  const outbox = createOutbox({ api, clock: systemClock, prepare: text.prepare })
  const unsent = await openUnsentStore(undefined)
  const drafts = await openDrafts(unsent)
  const close = () => outbox.close()
  const messaging: Messaging = { userId: 'me', api, live, outbox, drafts, unsent, text, close }
  await setPresentMessaging(messaging)
  const Wrapper = ({ children }: { children: ReactNode }) => (
    <Provider store={store}>
      <MessagingContext value={messaging}>{children}</MessagingContext>
    </Provider>
  )
  return { ...messaging, connection, Wrapper }
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
  clientMessageId: `client ${seq}`,
  ...change,
})
