import type { Conversation, Message } from '@sumlock/contracts/messaging-routes'
import { toBase64Url } from '@sumlock/sealing/bytes'
import { createKey, importKey } from '@sumlock/sealing/own-key'
import type { OwnKey } from '@sumlock/sealing/own-key'
import type { OutgoingMessage } from '@sumlock/sync/ports'
import { systemClock } from '@sumlock/sync/system-clock'
import type { OwnKeys } from '../src/features/sealed/own-keys.ts'
import type { PagePresence } from '../src/features/device/page-presence.ts'
import { createSealedText } from '../src/features/sealed/sealed-text.ts'
import { conversationWith } from './conversation-with.ts'
import { messageAt } from './fake-messaging.tsx'
import { offerCrypto } from './offer-crypto.ts'

offerCrypto()

const random32 = () => crypto.getRandomValues(new Uint8Array(32))

/** A key pair, usable at once; its box is of no interest here. */
export async function newOwnKey(userId: string, epoch = 1): Promise<OwnKey> {
  const { stored, pkcs8 } = await createKey({ userId, epoch }, random32(), random32())
  return importKey(stored, pkcs8)
}

export const publicKeyOf = ({ epoch, pub }: OwnKey) => ({ epoch, pub: toBase64Url(pub) })

/** The server's side: the boxes of each person, and the public keys it shows. */
export function fakeKeyServer() {
  const rows = new Map<string, { version: number; box: string }>()
  const server = {
    rows,
    isDown: false,
    /** What `GET /api/conversations/:id/keys` answers. */
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

/** The browser of a person with these keys, who knows the conversation `c` with a partner. */
export function browserOf(
  userId: string,
  keys: readonly OwnKey[],
  server = fakeKeyServer(),
  {
    lostEpochs = [] as readonly number[],
    clock = systemClock,
    presence = alwaysVisible,
    /** The own keys are there after this. */
    ready = Promise.resolve(),
  } = {},
) {
  const own: OwnKeys = { keys, lostEpochs }
  const text = createSealedText({
    userId,
    own: ready.then(() => own),
    fetchKeys: server.fetchKeys,
    boxes: server.boxesOf(userId),
    clock,
    presence,
  })
  const meet = (
    partner: { id: string; keys: { epoch: number; pub: string }[] },
    change: Partial<Conversation> = {},
  ) =>
    text.takeList([
      conversationWith({
        otherUser: { username: partner.id, userCode: 'ABCD-EFGH-J', ...partner },
        lastMessage: null,
        ...change,
      }),
    ])
  return { text, server, meet }
}

export const outgoing = (content: string, clientMessageId = 'k1'): OutgoingMessage => ({
  conversationId: 'c',
  messageType: 'text',
  clientMessageId,
  content,
})

/** What the server stores of a message that was sent. */
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
    ...change,
  })
