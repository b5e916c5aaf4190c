import { on } from '@sumlock/bus/handler'
import { subscriptionActivated, subscriptionEnded } from '@sumlock/contracts/billing-events'

/** Wakes the reader of billing's list without waiting for it. */
export function subscriptionHandlers(wakeReader: () => void) {
  const wake = () => Promise.resolve(wakeReader())
  return [on(subscriptionActivated, wake), on(subscriptionEnded, wake)]
}
