import { defineEvent } from './event.ts'
import { entitlement } from './internal-routes.ts'

/** Key userId. Carries the complete entitlement, so that one that claims more than billing confirms is noticed. */
export const subscriptionActivated = defineEvent({
  type: 'billing.subscription-activated.v1',
  topic: 'billing.subscriptions',
  key: (data) => data.userId,
  data: entitlement,
  summary: 'Premium began or was extended. Wakes a question to billing; its content is not believed.',
})

export const subscriptionEnded = defineEvent({
  type: 'billing.subscription-ended.v1',
  topic: 'billing.subscriptions',
  key: (data) => data.userId,
  data: entitlement,
  summary:
    'Premium was ended before its expiry date. Reaching the expiry date publishes no event. Wakes a question to billing; its content is not believed.',
})
