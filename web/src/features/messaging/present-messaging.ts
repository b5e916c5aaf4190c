import type { Conversation } from '@sumlock/contracts/messaging-routes'
import type { Messaging } from './messaging-context.ts'

let present: Messaging | undefined

/** The messaging of the signed-in person, for the endpoints: an argument of theirs cannot hold a connection. */
export function presentMessaging(): Messaging {
  if (!present) throw new Error('Messaging is not open yet')
  return present
}

/** Opens the previews of a list, once messaging is open; until then its opening does. */
export const takeList = async (list: readonly Conversation[]): Promise<void> => present?.text.takeList(list)

export function setPresentMessaging(messaging: Messaging): void {
  present = messaging
}
