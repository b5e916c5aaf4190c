import type { Conversation } from '@sumlock/contracts/messaging-routes'
import type { Messaging } from '../delivery/messaging-context.ts'

let present: Messaging | undefined
/** Lists that came before messaging was open; one of them may still be on its way into the cache. */
let early: readonly Conversation[] = []

/** The messaging of the signed-in person, for the endpoints: an argument of theirs cannot hold a connection. */
export function presentMessaging(): Messaging {
  if (!present) throw new Error('Messaging is not open yet')
  return present
}

/** Opens the previews of a list, once messaging is open; until then its opening does. */
export async function takeList(list: readonly Conversation[]): Promise<void> {
  if (present) await present.text.takeList(list)
  else early = [...early, ...list]
}

/** Resolves once the previews of the lists that came before are open. */
export async function setPresentMessaging(messaging: Messaging): Promise<void> {
  present = messaging
  const taken = early
  early = []
  await messaging.text.takeList(taken)
}
