import type { MailLinkKind } from './mail-link.ts'

/**
 * A mail with a link that somebody asked for. Who gets which letter is decided later, where nobody waits for an answer: a
 * taken address and a free one look the same until then.
 */
export interface MailRequest {
  _id: string
  kind: MailLinkKind
  /** Absent in a reset of the password: its accounts are looked for later. */
  userId?: string
  /** As it was typed. */
  email: string
  emailKey: string
  /** The account's at the request; only in a change of address. */
  passwordChangedAt?: Date
  createdAt: Date
  /** When it is written; while it is, when another process may take it over. */
  dueAt: Date
  /** No letter is written later. */
  expiresAt: Date
}
