import type { Conversation, Message } from '@sumlock/contracts/messaging-routes'
import { toBase64Url } from '@sumlock/sealing/bytes'
import { createKey, importKey } from '@sumlock/sealing/own-key'
import type { OwnKey } from '@sumlock/sealing/own-key'
import { createOutbox } from '@sumlock/sync/outbox'
import type { OutgoingMessage, SyncApi } from '@sumlock/sync/ports'
import { systemClock } from '@sumlock/sync/system-clock'
import { fakeLive } from '@sumlock/sync/test-support/fake-live'
import { createVanishWatch } from '@sumlock/sync/vanishing'
import type { OwnKeys } from '../src/features/sealed/own-keys.ts'
import type { PagePresence } from '../src/features/device/page-presence.ts'
import { createSealedText } from '../src/features/sealed/sealed-text.ts'
import { conversationOpened } from '../src/features/conversations/conversation-list.ts'
import { createListChanges } from '../src/features/conversations/list-changes.ts'
import { changeList, entryOf, messagesOf, messagingApi } from '../src/features/conversations/messaging-api.ts'
import type { Session } from '../src/features/conversations/open-session.ts'
import { storedRows } from '../src/features/conversations/stored-rows.ts'
import { lookOf } from '../src/features/sealed/look.ts'
import { withOpenedPages } from '../src/features/sealed/sealed-sync.ts'
import { conversationWith } from './conversation-with.ts'
import { messageAt } from './fake-messaging.tsx'
import { offerCrypto } from './offer-crypto.ts'
import { openPage } from './page.ts'

offerCrypto()

const random32 = () => crypto.getRandomValues(new Uint8Array(32))

/** A usable key pair. Its box is not opened here. */
export async function newOwnKey(userId: string, epoch = 1): Promise<OwnKey> {
  const { stored, pkcs8 } = await createKey({ userId, epoch }, random32(), random32())
  return importKey(stored, pkcs8)
}

export const publicKeyOf = ({ epoch, pub }: OwnKey) => ({ epoch, pub: toBase64Url(pub) })

/** The server's side: the boxes of each person, and the public keys that it shows. */
export function fakeKeyServer() {
  const rows = new Map<string, { version: number; box: string }>()
  const server = {
    rows,
    isDown: false,
    /** The answer to `GET /api/conversations/:id/keys`. */
    shownKeys: [] as { epoch: number; pub: string }[],
    asked: 0,
    boxesOf: (userId: string) => ({
      read: (name: string) => {
        if (server.isDown) return Promise.reject(new Error('down'))
        return Promise.resolve(rows.get(`${userId} ${name}`) ?? { version: 0, box: null })
      },
      write: (name: string, row: { version: number; box: string }) => {
        if (server.isDown) return Promise.reject(new Error('down'))
        if (row.version !== (rows.get(`${userId} ${name}`)?.version ?? 0) + 1) return Promise.resolve(false)
        rows.set(`${userId} ${name}`, row)
        return Promise.resolve(true)
      },
    }),
    /** The answers to the next calls; `shownKeys` once there are no more. */
    nextAnswers: [] as (() => Promise<{ epoch: number; pub: string }[]>)[],
    fetchKeys: () => {
      server.asked += 1
      const next = server.nextAnswers.shift()
      if (next) return next()
      return server.isDown ? Promise.reject(new Error('down')) : Promise.resolve(server.shownKeys)
    },
  }
  return server
}

export const alwaysVisible: PagePresence = { isVisible: () => true, onReturn: () => () => undefined }

/** The browser of a person with these keys, on a page of its own unless the test gives one. */
export function browserOf(
  userId: string,
  keys: readonly OwnKey[],
  server = fakeKeyServer(),
  {
    lostEpochs = [] as readonly number[],
    clock = systemClock,
    presence = alwaysVisible,
    /** The own keys are available once this resolves. */
    ready = Promise.resolve(),
    page = openPage(),
  } = {},
) {
  const own: OwnKeys = { keys, lostEpochs }
  const text = createSealedText({
    userId,
    own: ready.then(() => own),
    rows: storedRows(page),
    fetchKeys: server.fetchKeys,
    boxes: server.boxesOf(userId),
    clock,
    presence,
  })
  page.opening ??= { userId, list: createListChanges(), texts: new Promise(() => undefined) }
  const stored: Message[] = []
  const listMessages: SyncApi['listMessages'] = (_id, { after = 0 }) =>
    Promise.resolve(stored.filter(({ seq }) => seq > after))
  const done = () => Promise.resolve(undefined as never)
  const api = withOpenedPages({ listMessages, sendMessage: done, markRead: done }, text)
  const outbox = createOutbox({ api, clock: systemClock })
  page.session ??= {
    userId,
    text,
    api,
    outbox,
    live: fakeLive().live,
    vanishing: createVanishWatch(systemClock, outbox),
    views: new Map(),
    media: { own: new Map() },
  } as unknown as Session
  const { dispatch, getState } = page.store
  const { upsertQueryData } = messagingApi.util
  /** Adds a conversation to the list. */
  const meet = async (
    partner: { id: string; keys: { epoch: number; pub: string }[] },
    change: Partial<Conversation> = {},
  ) => {
    const otherUser = { username: partner.id, userCode: 'ABCD-EFGH-J', ...partner }
    const row = conversationWith({ otherUser, lastMessage: null, ...change })
    if (!entryOf(getState()))
      await dispatch(upsertQueryData('listConversations', undefined, { rows: [], next: null }))
    for (const opened of await text.openList([row])) dispatch(changeList(conversationOpened(opened)))
  }
  const rows = () => messagesOf(getState(), 'c')?.messages ?? []
  /** Resolves when these stored messages are in the chat `c`. */
  const receive = async (messages: readonly Message[]) => {
    stored.push(...messages.filter((message) => !stored.includes(message)))
    await dispatch(messagingApi.endpoints.getMessages.initiate('c'))
    page.session?.views.get('c')?.refresh()
    const areThere = () => messages.every(({ id }) => rows().some((row) => row.id === id))
    await new Promise<void>((resolve) => {
      const check = () => areThere() && resolve()
      page.store.subscribe(check)
      check()
    })
  }
  /** The content of the chat `c`. */
  const shown = () => rows().map(lookOf)
  return { text, server, meet, receive, shown, store: page.store }
}

export const outgoing = (content: string, clientMessageId = 'k1'): OutgoingMessage => ({
  conversationId: 'c',
  messageType: 'text',
  clientMessageId,
  content,
})

/** Returns a sent message as the server stores it. */
export const storedOf = (
  seq: number,
  senderId: string,
  sent: OutgoingMessage,
  change: Partial<Message> = {},
) =>
  messageAt(seq, {
    senderId,
    content: sent.content ?? '',
    clientMessageId: sent.clientMessageId,
    createdAt: new Date().toISOString(),
    ...(sent.sealed ? { sealed: sent.sealed } : {}),
    ...(sent.vanishMs ? { vanishMs: sent.vanishMs } : {}),
    ...change,
  })
