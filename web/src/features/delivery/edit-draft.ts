import type { MessageName } from '@sumlock/sync/ports'
import type { Drafts } from './drafts.ts'

interface Edited {
  conversationId: string
  name: MessageName
}

/** The begun edit of a conversation is kept under this name, beside the drafts of the conversations. */
export const editDraft = (conversationId: string): string => `edit ${conversationId}`

/** Returns the text of an edit that was begun and neither saved nor ended; undefined if there is none. */
export function keptEdit(drafts: Drafts, { conversationId, name }: Edited): string | undefined {
  const kept = drafts.get(editDraft(conversationId))
  return kept.startsWith(`${name.id} `) ? kept.slice(name.id.length + 1) : undefined
}

/** Keeps the text of an edit as a draft is kept. One conversation keeps one edit. */
export const keepEdit = (drafts: Drafts, { conversationId, name }: Edited, text: string): void =>
  drafts.set(editDraft(conversationId), `${name.id} ${text}`)

/** Forgets the edit of this message, if it was kept. */
export function forgetEdit(drafts: Drafts, edited: Edited): void {
  if (keptEdit(drafts, edited) !== undefined) drafts.set(editDraft(edited.conversationId), '')
}
