import type { MailLinkKind } from './mail-link.ts'

/**
 * A requested mail with a link. The receivers are decided later, when nobody waits for an answer, so that a taken address and
 * a free one look the same until then.
 */
export interface MailRequest {
  _id: string
  kind: MailLinkKind
  /** Absent for a reset of the password, whose accounts are looked up later. */
  userId?: string
  /** The address as it was typed. */
  email: string
  emailKey: string
  /** The value of the account at the request; present only for a change of address. */
  passwordChangedAt?: Date
  createdAt: Date
  /** The time at which it is due; while it is being written, the time at which another process may take it over. */
  dueAt: Date
  /** After this time no letter is written. */
  expiresAt: Date
}
