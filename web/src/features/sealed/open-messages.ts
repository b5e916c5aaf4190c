import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { loadNicknames } from '../../app/chunks/unlocked.tsx'
import type { KnownConversation, KnownConversations } from './known-conversations.ts'
import { createLook, isWaiting } from './look.ts'
import type { Sealable } from './look.ts'
import type { HeldKeys } from './own-keys.ts'

type Known = () => KnownConversation | undefined

/** Opens messages and stores nothing of their content. */
export function createOpener(userId: string, own: HeldKeys, conversations: KnownConversations) {
  const { lookInto, lookIntoReaction, forget } = createLook(userId, own)
  const openReactions = (id: string, message: Sealable, known: Known) => {
    const { senderId: by, clientMessageId = '', sealed, reactions = [] } = message
    const target = { by, id: clientMessageId }
    return Promise.all(
      reactions.map(async (reaction) =>
        (sealed ?? reaction.sealed)
          ? { ...reaction, look: await lookIntoReaction(id, { reaction, target }, known) }
          : reaction,
      ),
    )
  }
  const openOne = async <M extends Sealable>(id: string, message: M, known: Known): Promise<M> => {
    const { sealed, reactions } = message
    if (!sealed && !reactions?.some((reaction) => reaction.sealed)) return message
    const keyCount = known()?.keys.length
    const opened = {
      ...message,
      ...(sealed && { look: await lookInto(id, message, known) }),
      ...(reactions && { reactions: await openReactions(id, message, known) }),
    }
    // A key may have arrived while the message was being opened, so it is opened once more.
    return isWaiting(opened) && known()?.keys.length !== keyCount ? openOne(id, message, known) : opened
  }
  const openRow = async (row: Conversation): Promise<Conversation> => {
    if (!row.lastMessage?.sealed) return row
    return { ...row, lastMessage: await openOne(row.id, row.lastMessage, () => conversations.getOf(row)) }
  }
  return {
    open: <M extends Sealable>(id: string, messages: readonly M[]): Promise<M[]> =>
      Promise.all(messages.map((message) => openOne(id, message, () => conversations.get(id)))),
    async openList(rows: readonly Conversation[]): Promise<Conversation[]> {
      const parts = rows.some(({ nickname }) => nickname) ? loadNicknames() : undefined
      const opened = await Promise.all(rows.map(openRow))
      return (await parts)?.withNicknames(opened, await own.read()) ?? opened
    },
    forget,
  }
}
