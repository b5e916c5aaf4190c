import type { MailLinkKind } from './mail-link.ts'

/**
 * A request for a mail with a link. Its receivers are chosen only after the answer, so that the answer is the same for a
 * taken address and a free one.
 */
export interface MailRequest {
  _id: string
  kind: MailLinkKind
  /** Absent for a reset of the password, whose accounts are looked up when the mail is written. */
  userId?: string
  /** The address is kept as it was typed. */
  email: string
  emailKey: string
  /** The value that the account had at the request; present only for a change of address. */
  passwordChangedAt?: Date
  createdAt: Date
  /** The mail is due at this time. While a process writes the mail, another one may take it over from this time on. */
  dueAt: Date
  /** No mail is written after this time. */
  expiresAt: Date
}
