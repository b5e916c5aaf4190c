import type { Message } from '@sumlock/contracts/messaging-routes'
import type { ActItem, OutboxItem, OutgoingAct } from './ports.ts'

/** An act changes these fields. A preview in a list has them, too. */
export interface Changeable extends Pick<
  Message,
  'senderId' | 'content' | 'messageType' | 'sealed' | 'edit' | 'isUnsent'
> {
  clientMessageId?: string | undefined
  mediaUrl?: string | null | undefined
  /** An act on the message has no answer yet. */
  isChanging?: true | undefined
}

export type Edit = Extract<OutgoingAct, { act: 'edit' }>

/** Returns the message with the content of an edit. */
export type ShowEdit<M> = (message: M, edit: Edit) => M

export const asPlain = <M extends Changeable>(message: M, { content }: Edit): M => ({ ...message, content })

/** Returns whether the message is among the stored ones. */
export const isStored = (
  messages: readonly Message[],
  { senderId, clientMessageId }: Pick<Message, 'senderId' | 'clientMessageId'>,
): boolean =>
  messages.some((message) => message.clientMessageId === clientMessageId && message.senderId === senderId)

/** Returns the messages as they are after the acts that have no answer yet; the same array if none concerns them. */
export function withActs<M extends Changeable>(
  messages: readonly M[],
  acts: readonly ActItem[],
  showEdit: ShowEdit<M> = asPlain,
): readonly M[] {
  let shown = messages
  for (const { message: act, createdAtMs } of acts) {
    const { by, id } = act.target
    const at = shown.findLastIndex((one) => one.clientMessageId === id && one.senderId === by)
    const target = shown[at]
    if (!target || target.isUnsent) continue
    if (act.act === 'unsend') shown = shown.with(at, emptied(target))
    // The answer to this act was lost, but the message has come with it.
    else if (target.edit?.id !== act.clientMessageId)
      shown = shown.with(at, {
        ...showEdit(target, act),
        edit: { id: act.clientMessageId, at: new Date(createdAtMs).toISOString() },
        isChanging: true,
      })
  }
  return shown
}

function emptied<M extends Changeable>({ sealed: _sealed, edit: _edit, ...message }: M): M {
  const empty = { content: '', messageType: 'text', mediaUrl: null, isUnsent: true, isChanging: true }
  return { ...message, ...empty } as unknown as M
}

interface Parts {
  /** The stored messages. */
  messages: readonly Message[]
  /** The unsent messages and the acts of all conversations. */
  items: readonly OutboxItem[]
  acts: readonly ActItem[]
}

/**
 * Returns what a person is shown of a conversation: the stored messages after the acts, and those that are not known to
 * be stored, oldest first.
 */
export function shownConversation(
  { messages, items, acts }: Parts,
  { conversationId, userId }: { conversationId: string; userId: string },
  showEdit?: ShowEdit<Message>,
): { messages: readonly Message[]; pending: readonly OutboxItem[] } {
  const isHere = ({ message }: OutboxItem | ActItem) => message.conversationId === conversationId
  const pending = items.filter(
    (item) =>
      isHere(item) &&
      !isStored(messages, { senderId: userId, clientMessageId: item.message.clientMessageId }),
  )
  const own = acts.filter(isHere)
  return { messages: withActs(messages, own, showEdit), pending: pending.map((item) => edited(item, own)) }
}

/** Returns an unsent message with the text of the last edit that waits behind it. */
function edited(item: OutboxItem, acts: readonly ActItem[]): OutboxItem {
  const last = acts.findLast(({ message: { act, target } }) => {
    return act === 'edit' && target.id === item.message.clientMessageId
  })
  if (last?.message.act !== 'edit') return item
  return { ...item, message: { ...item.message, content: last.message.content } }
}
