import type { Message } from '@sumlock/contracts/messaging-routes'
import type { ConversationView } from '@sumlock/sync/conversation-view'
import type { MessageName } from '@sumlock/sync/ports'
import { vanishesAtMs } from '@sumlock/sync/vanishing'
import type { Drafts } from './drafts.ts'

interface Edited {
  conversationId: string
  name: MessageName
}

interface BegunEdit {
  /** This is the clientMessageId of the message. */
  id: string
  /** The message vanishes at this time (ms by the server's clock); Infinity while that is not known. */
  endsAtMs: number
  text: string
}

const prefix = 'edit '

/** The begun edit of a conversation is kept under this name, beside the drafts of the conversations. */
export const editDraft = (conversationId: string): string => `${prefix}${conversationId}`

/** A kept edit consists of the id of the message, `@` with the end if it is known, a space and the text. */
function read(kept: string): BegunEdit | undefined {
  const [, id, end, text] = /^([^ @]+)(?:@(-?\d+))? (.*)$/s.exec(kept) ?? []
  if (id === undefined || text === undefined) return undefined
  return { id, endsAtMs: end === undefined ? Infinity : Number(end), text }
}

const written = ({ id, endsAtMs, text }: BegunEdit): string =>
  `${id}${endsAtMs < Infinity ? `@${endsAtMs}` : ''} ${text}`

const begunEdit = (drafts: Drafts, conversationId: string): BegunEdit | undefined =>
  read(drafts.get(editDraft(conversationId)))

/** Returns the text of an edit that was begun and neither saved nor ended; undefined if there is none. */
export function keptEdit(drafts: Drafts, { conversationId, name }: Edited): string | undefined {
  const begun = begunEdit(drafts, conversationId)
  return begun?.id === name.id ? begun.text : undefined
}

/** Keeps the text of an edit as a draft is kept. One conversation keeps one edit. */
export function keepEdit(drafts: Drafts, { conversationId, name: { id } }: Edited, text: string): void {
  const begun = begunEdit(drafts, conversationId)
  const endsAtMs = begun?.id === id ? begun.endsAtMs : Infinity
  drafts.set(editDraft(conversationId), written({ id, text, endsAtMs }))
}

/** Forgets the edit of this message, if it was kept. */
export function forgetEdit(drafts: Drafts, edited: Edited): void {
  if (keptEdit(drafts, edited) !== undefined) drafts.set(editDraft(edited.conversationId), '')
}

export interface Edits {
  drafts: Drafts
  /** The conversations that are open on this page, by their ids. */
  views: ReadonlyMap<string, Pick<ConversationView, 'getState'>>
  userId: string
}

/**
 * Returns a function that forgets the edits of messages that are gone, and returns when the next message vanishes. An edit
 * is kept with that time, so it goes on a later page as well, and with its chat left.
 */
export const editsPart = (edits: Edits) => (nowMs: number) => {
  const kept = [...edits.drafts.names()].filter((name) => name.startsWith(prefix))
  return Math.min(...kept.map((name) => followEdit(edits, name.slice(prefix.length), nowMs)))
}

/** Keeps with the begun edit of a message that was just stored when the message vanishes. Its chat may be left. */
export function learnEdit({ drafts, userId }: Edits, message: Message): void {
  const { conversationId, clientMessageId: id } = message
  if (begunEdit(drafts, conversationId)?.id === id) learn(drafts, conversationId, id, endOf(message, userId))
}

/** Forgets an edit whose message is gone. Otherwise returns when the message vanishes, and keeps that with the edit. */
function followEdit({ drafts, views, userId }: Edits, conversationId: string, nowMs: number): number {
  const begun = begunEdit(drafts, conversationId)
  if (!begun) return Infinity
  const { id } = begun
  const message = views
    .get(conversationId)
    ?.getState()
    .messages.find(({ senderId, clientMessageId }) => senderId === userId && clientMessageId === id)
  const isEmptied = message?.isUnsent ?? message?.isVanished ?? false
  const endsAtMs = message ? endOf(message, userId) : begun.endsAtMs
  if (isEmptied || endsAtMs <= nowMs) {
    drafts.amend(editDraft(conversationId), (kept) => (read(kept)?.id === id ? '' : kept))
    return Infinity
  }
  if (endsAtMs !== begun.endsAtMs) learn(drafts, conversationId, id, endsAtMs)
  return endsAtMs
}

function learn(drafts: Drafts, conversationId: string, id: string, endsAtMs: number): void {
  drafts.amend(editDraft(conversationId), (kept) => {
    const edit = read(kept)
    return edit?.id === id ? written({ ...edit, endsAtMs }) : kept
  })
}

/** Returns the end that a server may have made up, or Infinity if it cannot be a time. */
function endOf(message: Message, userId: string): number {
  const endsAtMs = vanishesAtMs(message, userId)
  return Number.isSafeInteger(endsAtMs) ? endsAtMs : Infinity
}
