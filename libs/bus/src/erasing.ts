import type { userPurgeRequested } from '@sumlock/contracts/auth-events'
import type { Envelope } from '@sumlock/contracts/event'
import { purgeAcknowledged } from '@sumlock/contracts/purge-events'
import type { PurgeOwner } from '@sumlock/contracts/purge-events'
import { transact } from '@sumlock/service-kit/transact'
import type { ClientSession, Connection } from 'mongoose'
import type { EventInbox } from './inbox.ts'
import type { EventOutbox } from './outbox.ts'

export interface PurgeContext {
  connection: Pick<Connection, 'startSession'>
  inbox: Pick<EventInbox, 'recordOnce'>
  outbox: Pick<EventOutbox, 'add' | 'kick'>
}

/** Handles a request to purge: erases what a service stores about the person, and acknowledges it, in one transaction. */
export const erasing =
  (
    { connection, inbox, outbox }: PurgeContext,
    owner: PurgeOwner,
    erase: (userId: string, session: ClientSession) => Promise<void>,
  ) =>
  async ({ id, data: { userId } }: Envelope<typeof userPurgeRequested>): Promise<void> => {
    await transact(connection, async (session) => {
      if (!(await inbox.recordOnce(session, 'purge', id))) return
      await erase(userId, session)
      await outbox.add(session, purgeAcknowledged, { userId, owner })
    })
    outbox.kick()
  }
