import type { Entitlement } from '@sumlock/contracts/internal-routes'

/** A person without premium has null in place of the end of premium. */
export type PremiumUntil = Date | null

/** These facts about a member decide whether a send is refused. */
export interface AccountStatus {
  readonly premiumUntil: PremiumUntil
  /** The account is being deleted. */
  readonly isGone?: boolean | undefined
  /** The person's newest key has this epoch. The field is absent before the first key. */
  readonly keyEpoch?: number | undefined
  /** Conversations that others begin with this person stay requests until the person accepts them. */
  readonly asksFirst?: boolean | undefined
  /** False means that others are not shown what the person has read, and the person not what they have. */
  readonly showsRead?: boolean | undefined
}

export const isPremiumAt = (status: AccountStatus | undefined, now: Date): boolean =>
  status !== undefined && !status.isGone && status.premiumUntil !== null && status.premiumUntil > now

export const premiumUntilOf = ({
  subscriptionType,
  subscriptionExpiresAt,
}: Pick<Entitlement, 'subscriptionType' | 'subscriptionExpiresAt'>): PremiumUntil =>
  subscriptionType === 'premium' && subscriptionExpiresAt ? new Date(subscriptionExpiresAt) : null
