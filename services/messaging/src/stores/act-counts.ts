import { limits } from '@sumlock/contracts/limits'
import { collectionOf } from '@sumlock/service-kit/collection-of'
import { utcDay } from '@sumlock/service-kit/clock'
import type { ClientSession, Connection } from 'mongoose'
import { tooManyActs } from '../domain/errors.ts'

export type ActName = 'edit' | 'unsend'

type ActCountRow = { _id: string; takenAt: Date } & Partial<Record<ActName, number>>

const keyOf = (personId: string, now: Date) => `${personId}|${utcDay(now)}`

/** Counts what each person did to messages on a UTC day. A TTL index removes the rows. */
export function createActCounts(connection: Connection) {
  const rows = collectionOf<ActCountRow>(connection, 'actCounts')
  const refuseOver = (count: number, now: Date): void => {
    if (count > limits.actsPerDay) throw tooManyActs(now)
  }

  return {
    /** Counts an act in its transaction. Throws 429 above the limit of the day. */
    async count(session: ClientSession, personId: string, act: ActName, now: Date): Promise<void> {
      const update = { $inc: { [act]: 1 }, $setOnInsert: { takenAt: now } }
      const row = await rows.findOneAndUpdate({ _id: keyOf(personId, now) }, update, {
        ...{ session, upsert: true, returnDocument: 'after' },
      })
      refuseOver(row?.[act] ?? 0, now)
    },

    /** Throws 429 when no further act is possible on this day. */
    async check(personId: string, act: ActName, now: Date): Promise<void> {
      const row = await rows.findOne({ _id: keyOf(personId, now) })
      refuseOver((row?.[act] ?? 0) + 1, now)
    },

    async removeOfPerson(personId: string): Promise<void> {
      // The range ends at '}', because that is the character after '|'.
      await rows.deleteMany({ _id: { $gt: `${personId}|`, $lt: `${personId}}` } })
    },
  }
}
