import { limits } from '@sumlock/contracts/limits'

/** A mail may contain a link of one of these kinds. Its use proves that the user can read the mailbox. */
export const mailLinkKinds = ['verify-email', 'change-email', 'reset-password'] as const
export type MailLinkKind = (typeof mailLinkKinds)[number]

const lifetimeSeconds: Record<MailLinkKind, number> = {
  'verify-email': limits.emailVerificationLifetimeSeconds,
  'change-email': limits.emailVerificationLifetimeSeconds,
  'reset-password': limits.passwordResetLifetimeSeconds,
}

export const mailLinkExpiry = (kind: MailLinkKind, now: Date): Date =>
  new Date(now.getTime() + lifetimeSeconds[kind] * 1000)

export const mailLinkUrl = (origin: string, kind: MailLinkKind, token: string): string =>
  `${origin}/${kind === 'reset-password' ? kind : 'verify-email'}?token=${token}`
