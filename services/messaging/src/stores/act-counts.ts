import { collectionOf } from '@sumlock/service-kit/collection-of'
import { utcDay } from '@sumlock/service-kit/clock'
import type { ClientSession, Connection } from 'mongoose'
import type { Config } from '../config.ts'
import { tooManyActs } from '../domain/errors.ts'

export type ActName = 'edit' | 'unsend'

type ActCountRow = { _id: string; takenAt: Date } & Partial<Record<ActName, number>>

const keyOf = (personId: string, now: Date) => `${personId}|${utcDay(now)}`

/** Counts what each person did to messages on a UTC day. A TTL index removes the rows. */
export function createActCounts(
  connection: Connection,
  config: Pick<Config, 'EDITS_AND_REACTIONS_PER_DAY' | 'UNSENDS_PER_DAY'>,
) {
  const rows = collectionOf<ActCountRow>(connection, 'actCounts')
  const mostOf = { edit: config.EDITS_AND_REACTIONS_PER_DAY, unsend: config.UNSENDS_PER_DAY }

  return {
    /** Counts an act, in its transaction if there is one. Throws 429 above the limit of the day. */
    async count(personId: string, act: ActName, now: Date, session?: ClientSession): Promise<void> {
      const update = { $inc: { [act]: 1 }, $setOnInsert: { takenAt: now } }
      const row = await rows.findOneAndUpdate({ _id: keyOf(personId, now) }, update, {
        ...{ upsert: true, returnDocument: 'after' },
        ...(session && { session }),
      })
      if ((row?.[act] ?? 0) > mostOf[act]) throw tooManyActs(now)
    },

    async removeOfPerson(personId: string): Promise<void> {
      // The range ends at '}', because that is the character after '|'.
      await rows.deleteMany({ _id: { $gt: `${personId}|`, $lt: `${personId}}` } })
    },
  }
}
