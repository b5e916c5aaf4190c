import type { Entitlement } from '@sumlock/contracts/internal-routes'

/** The end of premium; null without premium. */
export type PremiumUntil = Date | null

/** The facts about a person that decide about a send. */
export interface AccountStatus {
  readonly premiumUntil: PremiumUntil
  /** The account is being deleted. */
  readonly isGone?: boolean | undefined
  /** Epoch of the person's newest key; absent before the first. */
  readonly keyEpoch?: number | undefined
  /** Conversations that others begin wait as requests. */
  readonly asksFirst?: boolean | undefined
}

export const isPremiumAt = (status: AccountStatus | undefined, now: Date): boolean =>
  status !== undefined && !status.isGone && status.premiumUntil !== null && status.premiumUntil > now

export const premiumUntilOf = ({
  subscriptionType,
  subscriptionExpiresAt,
}: Pick<Entitlement, 'subscriptionType' | 'subscriptionExpiresAt'>): PremiumUntil =>
  subscriptionType === 'premium' && subscriptionExpiresAt ? new Date(subscriptionExpiresAt) : null
