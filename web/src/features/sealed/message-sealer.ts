import { fromBase64Url, toBase64Url } from '@sumlock/sealing/bytes'
import { conversationKey, safetyCode } from '@sumlock/sealing/conversation-key'
import { sealMessage } from '@sumlock/sealing/message'
import type { MessageBody } from '@sumlock/sealing/message'
import { createListeners } from '@sumlock/sync/listeners'
import type { OutgoingMessage } from '@sumlock/sync/ports'
import { noKeys } from './own-keys.ts'
import type { OwnKeys } from './own-keys.ts'
import type { KnownConversation, KnownConversations } from './known-conversations.ts'
import type { KnownKeys } from './known-keys.ts'
import { cleanText } from './message-body.ts'
import { trustOf } from './trust.ts'
import type { KnownKey, Trust } from './trust.ts'

/** Why a message was not sealed, in the shape of a refused call: it waits for the person. */
export class NotSealedError extends Error {
  override readonly name = 'NotSealedError'
  readonly status = 409
  readonly code: 'keys_changed' | 'keys_missing'
  constructor(code: NotSealedError['code'], sentence: string) {
    super(sentence)
    this.code = code
  }
}

const chooseAgain = () =>
  new NotSealedError(
    'keys_missing',
    'The keys of this chat have changed. Discard this file and choose it again.',
  )

/** The person's consent to a key of the partner: to the one with this print, which was on the screen. */
export interface Acceptance {
  print: string
  /** Absent: it stays verified only if it is the very key that was. */
  isVerified?: boolean
}

export interface SafetyCode {
  groups: readonly string[]
  /** Of the partner's key that the digits belong to. */
  print: string
}

const printOf = async (pub: string) =>
  toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', fromBase64Url(pub))))

export interface MessageSealerOptions {
  own: Promise<OwnKeys>
  userId: string
  conversations: KnownConversations
  knownKeys: KnownKeys
  nowMs: () => number
}

/** Seals what is sent, and decides for whom: a key of the partner is accepted once, and another one only by the person. */
export function createMessageSealer({ own, userId, conversations, knownKeys, nowMs }: MessageSealerOptions) {
  let present: OwnKeys | undefined
  const known = new Map<string, KnownKey | null>()
  const prints = new Map<string, string>()
  const changed = createListeners<[]>()
  const reading = new Map<string, Promise<void>>()
  void own.then((keys) => {
    present = keys
    changed.emit()
  })

  const newestKey = (id: string) => conversations.get(id)?.keys.at(-1)
  const learnPrint = async (id: string) => {
    // Without own keys nothing is sealed, and the browser may have no cryptography.
    if ((await own).keys.length === 0) return
    const { pub } = newestKey(id) ?? {}
    if (pub === undefined || prints.has(pub)) return
    prints.set(pub, await printOf(pub))
  }
  const partnerOf = (id: string) => {
    const { epoch, pub = '' } = newestKey(id) ?? {}
    const print = prints.get(pub)
    return epoch !== undefined && print !== undefined ? { epoch, print } : undefined
  }
  /** Immutable, so that a screen renders only what changed. */
  const trusts = new Map<string, Trust>()
  const trust = (id: string): Trust => {
    const needsPrint = present?.keys.length !== 0 && newestKey(id) !== undefined
    const isReady = present !== undefined && (!needsPrint || partnerOf(id) !== undefined)
    const next: Trust = isReady
      ? trustOf({ own: present ?? noKeys, partner: partnerOf(id), known: known.get(id) })
      : { state: 'unknown' }
    const before = trusts.get(id)
    if (before && JSON.stringify(before) === JSON.stringify(next)) return before
    trusts.set(id, next)
    return next
  }
  /** Reads what was accepted, once; rejects while the server of the records does not answer. */
  const prepareTrust = async (id: string): Promise<void> => {
    const { keys } = await own
    const before = trust(id)
    await learnPrint(id)
    if (keys.length > 0 && !known.has(id)) {
      const running = reading.get(id) ?? knownKeys.read(id).then((key) => void known.set(id, key))
      reading.set(id, running)
      await running.finally(() => reading.delete(id))
    }
    if (trust(id) !== before) changed.emit()
  }
  conversations.onKeys((id) => void learnPrint(id).then(changed.emit))

  const acceptNow = async (id: string, { print, isVerified }: Acceptance): Promise<void> => {
    await prepareTrust(id)
    const partner = partnerOf(id)
    if (!partner) return
    if (partner.print !== print)
      throw new NotSealedError('keys_changed', 'The security code changed again. Compare the new one.')
    const decide = (stored: KnownKey | null): KnownKey => {
      if (stored && stored.epoch > partner.epoch) return stored
      const wasVerified = stored?.print === partner.print && stored.isVerified
      return { ...partner, isVerified: isVerified ?? wasVerified }
    }
    known.set(id, await knownKeys.write(id, decide))
    changed.emit()
  }
  /** Sends wait for these. */
  const accepting = new Map<string, Promise<void>>()
  const accept = (id: string, acceptance: Acceptance): Promise<void> => {
    const running = acceptNow(id, acceptance).finally(() => {
      if (accepting.get(id) === running) accepting.delete(id)
    })
    accepting.set(id, running)
    return running
  }
  /** The first key of a partner needs no person, unless another device has accepted one. */
  const acceptFirst = async (id: string): Promise<void> => {
    const partner = partnerOf(id)
    if (!partner) return
    known.set(id, await knownKeys.write(id, (stored) => stored ?? { ...partner, isVerified: false }))
    changed.emit()
  }

  const seal = async (
    message: OutgoingMessage,
    conversation: KnownConversation,
  ): Promise<OutgoingMessage> => {
    const { conversationId, clientMessageId, messageType } = message
    const mine = (await own).keys.at(-1)
    const theirs = conversation.keys.at(-1)
    if (!mine || !theirs || !conversation.partnerId) throw new Error('There is no key to seal with.')
    const partner = { userId: conversation.partnerId, epoch: theirs.epoch, pub: fromBase64Url(theirs.pub) }
    const epochs = { from: mine.epoch, to: theirs.epoch }
    const [mediaUrl, media] =
      message.messageType === 'text' ? [null, undefined] : [message.mediaUrl, message.media]
    // The file lies in the open; a message must not say that it is sealed.
    if (mediaUrl !== null && media === undefined) throw chooseAgain()
    const envelope = { conversationId, senderId: userId, clientMessageId, messageType, mediaUrl, ...epochs }
    const body: MessageBody = { t: cleanText(message.content ?? ''), at: nowMs() }
    if (media !== undefined) body.media = media
    const { newest } = conversation
    if (newest) body.after = { by: newest.by, id: newest.id }
    const key = await conversationKey(conversationId, mine, partner)
    return { ...message, content: await sealMessage(key, envelope, body), sealed: { v: 1, ...epochs } }
  }

  /** The conversation to seal for, or null where what is sent stays plain. Rejects when the person has to decide first. */
  const decide = async (conversationId: string): Promise<KnownConversation | null> => {
    const { keys } = await own
    if (keys.length === 0) return null
    if (!conversations.get(conversationId)) throw new Error('The conversation is not known yet.')
    // The partner may have got the first key since the list was fetched.
    if (!newestKey(conversationId)) await conversations.refreshKeys(conversationId)
    await accepting.get(conversationId)?.catch(() => undefined)
    await prepareTrust(conversationId)
    const decided = trust(conversationId)
    const conversation = conversations.get(conversationId)
    if (decided.state === 'no-partner-key') return null
    if (decided.state === 'unknown' || !conversation) throw new Error('The keys are not known yet.')
    const name = conversation.partnerName
    if (decided.state === 'changed')
      throw new NotSealedError('keys_changed', `${name}’s security code changed.`)
    if (decided.state !== 'sealed')
      throw new NotSealedError(
        'keys_missing',
        `The server does not show ${name}’s key any more. Try again later.`,
      )
    if (!decided.isNew) return conversation
    await acceptFirst(conversationId)
    return decide(conversationId)
  }
  /** What is sent of a message, sealed where both have keys. Rejects as `decide` does. */
  const prepare = async (message: OutgoingMessage): Promise<OutgoingMessage> => {
    const conversation = await decide(message.conversationId)
    if (conversation) return seal(message, conversation)
    // The key of the file would be lost.
    if (message.messageType !== 'text' && message.media !== undefined) throw chooseAgain()
    return message
  }

  return {
    trust,
    /** Reads what `trust` needs; called when a conversation is opened. */
    prepareTrust,
    accept,
    subscribe: changed.add,
    prepare,
    /** Whether what is sent now is sealed. Rejects when the person has to decide first. */
    willSeal: async (conversationId: string): Promise<boolean> => (await decide(conversationId)) !== null,
    /** The security code of both present keys, twelve groups of five digits; null before both have one. */
    async safetyCode(conversationId: string): Promise<SafetyCode | null> {
      const mine = (await own).keys.at(-1)
      const { partnerId, keys = [] } = conversations.get(conversationId) ?? {}
      const theirs = keys.at(-1)
      if (!mine || !theirs || !partnerId) return null
      const pub = fromBase64Url(theirs.pub)
      const groups = await safetyCode(mine, { userId: partnerId, epoch: theirs.epoch, pub })
      return { groups, print: await printOf(theirs.pub) }
    },
  }
}

export type MessageSealer = ReturnType<typeof createMessageSealer>
