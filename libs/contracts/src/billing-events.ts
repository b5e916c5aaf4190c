import { defineEvent } from './event.ts'
import { entitlement } from './internal-routes.ts'

/** Key userId; carries the whole folded state, so the highest `version` wins. */
export const subscriptionActivated = defineEvent({
  type: 'billing.subscription-activated.v1',
  topic: 'billing.subscriptions',
  key: (data) => data.userId,
  data: entitlement,
  summary: 'SubscriptionActivated. Premium began or was extended.',
})

export const subscriptionEnded = defineEvent({
  type: 'billing.subscription-ended.v1',
  topic: 'billing.subscriptions',
  key: (data) => data.userId,
  data: entitlement,
  summary:
    'A segment was removed and premium is over before its time. Plain expiry sends nothing: the date says it.',
})
