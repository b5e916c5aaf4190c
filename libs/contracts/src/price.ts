/** A year of premium costs this, for oneself or as a gift. */
export const yearPrice = { cents: 2900, currency: 'usd', label: '$29' } as const
