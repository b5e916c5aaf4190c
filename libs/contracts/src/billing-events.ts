import { z } from 'zod'
import { defineEvent } from './event.ts'
import { id } from './primitives.ts'

/** The event only tells consumers to call `listEntitlementChanges`, and carries no entitlement. */
export const subscriptionActivated = defineEvent({
  type: 'billing.subscription-activated.v1',
  topic: 'billing.subscriptions',
  key: (data) => data.userId,
  data: z.object({ userId: id }),
  summary: 'Premium began or was extended. Wakes the reader of `listEntitlementChanges`.',
})

export const subscriptionEnded = defineEvent({
  type: 'billing.subscription-ended.v1',
  topic: 'billing.subscriptions',
  key: (data) => data.userId,
  data: z.object({ userId: id }),
  summary:
    'Premium was ended before its expiry date. Reaching the expiry date publishes no event. Wakes the reader of `listEntitlementChanges`.',
})
