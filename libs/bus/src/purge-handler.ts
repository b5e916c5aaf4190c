import { userPurgeRequested } from '@sumlock/contracts/auth-events'
import { purgeAcknowledged } from '@sumlock/contracts/purge-events'
import type { PurgeOwner } from '@sumlock/contracts/purge-events'
import type { ClientSession, Connection } from 'mongoose'
import { on } from './handler.ts'
import type { Handler } from './handler.ts'
import type { EventInbox } from './inbox.ts'
import type { EventOutbox } from './outbox.ts'

export interface PurgeContext {
  connection: Pick<Connection, 'transaction'>
  inbox: Pick<EventInbox, 'recordOnce'>
  outbox: Pick<EventOutbox, 'add' | 'kick'>
}

/** Erases what a service stores about a purged person, and acknowledges it, in one transaction. */
export const purgeHandler = (
  { connection, inbox, outbox }: PurgeContext,
  owner: PurgeOwner,
  erase: (userId: string, session: ClientSession) => Promise<void>,
): Handler =>
  on(userPurgeRequested, async ({ id, data: { userId } }) => {
    await connection.transaction(async (session) => {
      if (!(await inbox.recordOnce(session, 'purge', id))) return
      await erase(userId, session)
      await outbox.add(session, purgeAcknowledged, { userId, owner })
    })
    outbox.kick()
  })
