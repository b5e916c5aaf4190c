/** What a year of premium costs, for oneself or as a gift. */
export const yearPrice = { cents: 2900, currency: 'usd', label: '$29' } as const
