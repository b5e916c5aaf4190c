import type { Entitlement } from '@sumlock/contracts/internal-routes'

/** When premium ends; null: none. */
export type PremiumUntil = Date | null

export const premiumUntilOf = ({
  subscriptionType,
  subscriptionExpiresAt,
}: Pick<Entitlement, 'subscriptionType' | 'subscriptionExpiresAt'>): PremiumUntil =>
  subscriptionType === 'premium' && subscriptionExpiresAt ? new Date(subscriptionExpiresAt) : null
