import { noticeRequested, userRegistered, userUpdated } from './auth-events.ts'
import { subscriptionActivated, subscriptionEnded } from './billing-events.ts'
import { conversationStarted, limitsChanged, messageRead, messageSent } from './messaging-events.ts'

/** Every event by name, for the catalogue and for tests. */
export const allEvents = {
  userRegistered,
  userUpdated,
  noticeRequested,
  messageSent,
  conversationStarted,
  messageRead,
  limitsChanged,
  subscriptionActivated,
  subscriptionEnded,
}
