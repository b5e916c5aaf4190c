import { purgeAcknowledged } from '@sumlock/contracts/purge-events'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'

/** Removes the preferences of a purged person, and acknowledges it, in one transaction. Deliveries hold no user id. */
export async function forgetPerson(
  {
    connection,
    inbox,
    outbox,
    preferences,
  }: Pick<Context, 'connection' | 'inbox' | 'outbox' | 'preferences'>,
  { userId, eventId }: { userId: string; eventId: string },
): Promise<void> {
  await transact(connection, async (session) => {
    if (!(await inbox.recordOnce(session, 'purge', eventId))) return
    await preferences.remove(userId, session)
    await outbox.add(session, purgeAcknowledged, { userId, owner: 'notify' })
  })
  outbox.kick()
}
