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
function begunEdit(drafts: Drafts, conversationId: string): BegunEdit | undefined {
  const [, id, end, text] = /^([^ @]+)(?:@(\d+))? (.*)$/s.exec(drafts.get(editDraft(conversationId))) ?? []
  if (id === undefined || text === undefined) return undefined
  return { id, endsAtMs: end === undefined ? Infinity : Number(end), text }
}

function keep(drafts: Drafts, conversationId: string, { id, endsAtMs, text }: BegunEdit): void {
  const end = endsAtMs < Infinity ? `@${endsAtMs}` : ''
  drafts.set(editDraft(conversationId), `${id}${end} ${text}`)
}

/** Returns the text of an edit that was begun and neither saved nor ended; undefined if there is none. */
export function keptEdit(drafts: Drafts, { conversationId, name }: Edited): string | undefined {
  const begun = begunEdit(drafts, conversationId)
  return begun?.id === name.id ? begun.text : undefined
}

/** Keeps the text of an edit as a draft is kept. One conversation keeps one edit. */
export function keepEdit(drafts: Drafts, { conversationId, name: { id } }: Edited, text: string): void {
  const begun = begunEdit(drafts, conversationId)
  keep(drafts, conversationId, { id, text, endsAtMs: begun?.id === id ? begun.endsAtMs : Infinity })
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

/** Forgets an edit whose message is gone. Otherwise returns when the message vanishes, and keeps that with the edit. */
function followEdit({ drafts, views, userId }: Edits, conversationId: string, nowMs: number): number {
  const begun = begunEdit(drafts, conversationId)
  if (!begun) return Infinity
  const message = views
    .get(conversationId)
    ?.getState()
    .messages.find(({ senderId, clientMessageId }) => senderId === userId && clientMessageId === begun.id)
  const isEmptied = message?.isUnsent ?? message?.isVanished ?? false
  const endsAtMs = message ? vanishesAtMs(message, userId) : begun.endsAtMs
  if (isEmptied || endsAtMs <= nowMs) {
    drafts.set(editDraft(conversationId), '')
    return Infinity
  }
  if (endsAtMs !== begun.endsAtMs) keep(drafts, conversationId, { ...begun, endsAtMs })
  return endsAtMs
}
