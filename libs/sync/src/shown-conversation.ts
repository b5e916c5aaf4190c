import type { Message } from '@sumlock/contracts/messaging-routes'
import type { ReactionAct } from './outbox-acts.ts'
import type { ActItem, OutboxItem, OutgoingAct } from './ports.ts'

/** A reaction to a message, as the server shows it or as it will be after an act. */
export type Reaction = NonNullable<Message['reactions']>[number] & {
  /** The act has no answer yet. */
  isPending?: true
}

/** An act changes these fields. A preview in a list has them, too. */
export interface Changeable extends Pick<
  Message,
  'senderId' | 'content' | 'messageType' | 'sealed' | 'edit' | 'isUnsent' | 'isVanished' | 'isOnce'
> {
  clientMessageId?: string | undefined
  mediaUrl?: string | null | undefined
  /** An act on the message has no answer yet. */
  isChanging?: true | undefined
  reactions?: Reaction[] | undefined
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

interface Viewer<M> {
  showEdit?: ShowEdit<M> | undefined
  /** Reactions of this person are shown; none if it is absent, as in a preview. */
  userId?: string
}

/** Returns the messages as they are after the acts that have no answer yet; the same array if none concerns them. */
export function withActs<M extends Changeable>(
  messages: readonly M[],
  acts: readonly ActItem[],
  viewer: Viewer<M> = {},
): readonly M[] {
  let shown = messages
  for (const item of acts) {
    const { by, id } = item.message.target
    const at = shown.findLastIndex((one) => one.clientMessageId === id && one.senderId === by)
    const target = shown[at]
    if (!target || target.isUnsent || target.isVanished) continue
    const next = afterAct(target, item, viewer)
    if (next !== target) shown = shown.with(at, next)
  }
  return shown
}

/** Returns the same message if it has come with the act, whose answer was then lost. */
function afterAct<M extends Changeable>(
  message: M,
  { message: act, createdAtMs }: ActItem,
  { showEdit = asPlain, userId }: Viewer<M>,
): M {
  if (act.act === 'unsend') return emptied(message)
  if (act.act === 'reaction') return userId === undefined ? message : reacted(message, act, userId)
  if (message.edit?.id === act.clientMessageId) return message
  const edit = { id: act.clientMessageId, at: new Date(createdAtMs).toISOString() }
  return { ...showEdit(message, act), edit, isChanging: true }
}

function reacted<M extends Changeable>(
  message: M,
  { clientMessageId: id, content = '' }: ReactionAct,
  by: string,
): M {
  const { reactions = [] } = message
  if (reactions.find((one) => one.by === by)?.id === id) return message
  const others = reactions.filter((one) => one.by !== by)
  return { ...message, reactions: [...others, { by, id, content, isPending: true }] }
}

function emptied<M extends Changeable>(before: M & { look?: unknown }): M {
  const { sealed: _sealed, edit: _edit, reactions: _reactions, look: _look, ...message } = before
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
  return {
    messages: withActs(messages, own, { showEdit, userId }),
    pending: pending.map((item) => edited(item, own)),
  }
}

/** Returns an unsent message with the text of the last edit that waits behind it. */
function edited(item: OutboxItem, acts: readonly ActItem[]): OutboxItem {
  const last = acts.findLast(({ message: { act, target } }) => {
    return act === 'edit' && target.id === item.message.clientMessageId
  })
  if (last?.message.act !== 'edit') return item
  return { ...item, message: { ...item.message, content: last.message.content } }
}
