import type { ClientSession, Connection } from 'mongoose'

export interface Inbox {
  /**
   * Runs `effect` in a transaction that also remembers the event; a second delivery does nothing.
   * Returns whether the effect ran now. (A projection that keeps the highest `version` needs no inbox: its
   * conditional update bears repetition by itself.)
   */
  once(eventId: string, effect: (session: ClientSession) => Promise<void>): Promise<boolean>
  /** Forgets events older than seven days; no topic keeps its messages longer. */
  prune(now: Date): Promise<void>
}

const keepDays = 7

/** Index of the inbox; part of the service's own list of migrations. */
export const inboxMigration = {
  id: 'inbox-0001-indexes',
  async up(connection: Connection): Promise<void> {
    await connection.collection('inbox').createIndex({ receivedAt: 1 })
  },
}

/** Remembers which events had their effect. `consumer` separates two consumers of one database. */
export function createInbox(connection: Connection, consumer: string, clock: { now(): Date }): Inbox {
  const rows = connection.collection<{ _id: string; receivedAt: Date }>('inbox')
  return {
    async once(eventId, effect) {
      const _id = `${consumer}:${eventId}`
      try {
        await connection.transaction(async (session) => {
          await rows.insertOne({ _id, receivedAt: clock.now() }, { session })
          await effect(session)
        })
        return true
      } catch (error) {
        const { code, message } = error as { code?: number; message?: string }
        if (code === 11000 && message?.includes(_id)) return false
        throw error
      }
    },
    async prune(now) {
      await rows.deleteMany({ receivedAt: { $lt: new Date(now.getTime() - keepDays * 86_400_000) } })
    },
  }
}
