import { on } from '@sumlock/bus/handler'
import { subscriptionActivated, subscriptionEnded } from '@sumlock/contracts/billing-events'

/** An event about a subscription only wakes the reader that fetches billing's list of changes. */
export function subscriptionHandlers(wakeReader: () => void) {
  const wake = () => Promise.resolve(wakeReader())
  return [on(subscriptionActivated, wake), on(subscriptionEnded, wake)]
}
