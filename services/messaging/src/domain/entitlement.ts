import type { Entitlement } from '@sumlock/contracts/internal-routes'

/** When premium ends; null: none. */
export type PremiumUntil = Date | null

/** What decides whether messages may be sent with a person; `gone`: the account is being deleted. */
export type Standing = PremiumUntil | 'gone'

export const isPremiumAt = (standing: Standing | undefined, now: Date): boolean =>
  standing instanceof Date && standing > now

export const premiumUntilOf = ({
  subscriptionType,
  subscriptionExpiresAt,
}: Pick<Entitlement, 'subscriptionType' | 'subscriptionExpiresAt'>): PremiumUntil =>
  subscriptionType === 'premium' && subscriptionExpiresAt ? new Date(subscriptionExpiresAt) : null
