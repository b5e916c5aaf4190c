import { fromBase64Url } from '@sumlock/sealing/bytes'
import { safetyCode } from '@sumlock/sealing/conversation-key'
import type { OutgoingAct, OutgoingMessage } from '@sumlock/sync/ports'
import { printOf } from './key-prints.ts'
import type { KnownConversation, KnownConversations } from './known-conversations.ts'
import type { KnownKeys } from './known-keys.ts'
import { chooseAgain, NotSealedError, plainFile } from './not-sealed-error.ts'
import type { HeldKeys } from './own-keys.ts'
import { sealContent, sealOutgoing } from './seal-outgoing.ts'
import { createTrustStore } from './trust-store.ts'

export interface SafetyCode {
  groups: readonly string[]
  /** The digits belong to the partner's key with this print. */
  print: string
}

export interface MessageSealerOptions {
  own: HeldKeys
  userId: string
  conversations: KnownConversations
  knownKeys: KnownKeys
  nowMs: () => number
}

/**
 * Seals outgoing messages and decides for which key: the first key of a partner is accepted automatically, and any
 * other key only by the person.
 */
export function createMessageSealer({ own, userId, conversations, knownKeys, nowMs }: MessageSealerOptions) {
  const { acceptFirst, whenAccepted, ...trusts } = createTrustStore({ own, conversations, knownKeys })

  /**
   * Resolves to the conversation whose newest key seals the message, or to null if messages stay plain. Rejects if the
   * person has to decide first, or the keys could not be loaded.
   */
  const decide = async (conversationId: string): Promise<KnownConversation | null> => {
    const { keys } = await own.read()
    if (keys.length === 0) return null
    const before = conversations.get(conversationId)
    if (!before) throw new Error('The conversation is not loaded yet.')
    // The partner may have created the first key after the list was fetched.
    if (before.keys.length === 0) await conversations.refreshKeys(conversationId)
    await whenAccepted(conversationId)
    await trusts.prepareTrust(conversationId)
    const decided = trusts.trust(conversationId)
    const conversation = conversations.get(conversationId)
    if (decided.state === 'no-partner-key') return null
    if (decided.state === 'unknown' || !conversation) throw new Error('The keys are not loaded yet.')
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

  // The clock has fractions, whose digits would not fit into a sealed reaction.
  const sender = async () => ({ userId, mine: (await own.read()).keys.at(-1), nowMs: Math.trunc(nowMs()) })

  return {
    ...trusts,
    /** Returns the message to send, sealed if both people have keys. Rejects as `decide` does. */
    prepare: async (message: OutgoingMessage): Promise<OutgoingMessage> => {
      const conversation = await decide(message.conversationId)
      if (conversation) return sealOutgoing(message, conversation, await sender())
      // A plain message cannot carry the key of a file that was sealed before.
      if (message.messageType !== 'text' && message.media !== undefined) throw chooseAgain()
      return message
    },
    /** Returns the act to send, with its content sealed if both people have keys. Rejects as `decide` does. */
    prepareAct: async (act: OutgoingAct): Promise<OutgoingAct> => {
      // An unsend has no content, nor has a reaction that is taken back.
      if (act.act === 'unsend' || act.content === undefined) return act
      const { content } = act
      const conversation = await decide(act.conversationId)
      if (!conversation) return act
      // Only the server says that the file is not sealed, so its caption would go out on the server's word.
      if (act.act === 'edit' && act.isPlain) throw plainFile()
      return sealContent({ ...act, content }, conversation, await sender())
    },
    /** Resolves to whether a message is sealed now. Rejects if the person has to decide first. */
    willSeal: async (conversationId: string): Promise<boolean> => (await decide(conversationId)) !== null,
    /**
     * Returns the security code of the newest keys of both people, twelve groups of five digits; null until both have a
     * key.
     */
    async safetyCode(conversationId: string): Promise<SafetyCode | null> {
      const mine = (await own.read()).keys.at(-1)
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
