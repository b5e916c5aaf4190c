import { limits } from '@sumlock/contracts/limits'
import { deleteInBatches } from '@sumlock/service-kit/write-in-batches'
import { Schema, trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'

export interface PhoneVerification {
  /** The id is the hash of the cookie that identifies this attempt. */
  _id: string
  phone: string
  codeMac: string
  /** The replaced code is kept to recognise a person who enters the code of an earlier SMS. */
  former?: { proofId: string; codeMac: string }
  /**
   * These are keyed hashes of the networks that contain the requesting address. Each gets its point back when the code is
   * verified.
   */
  askedFrom?: readonly string[]
  guesses: number
  /** Counts registrations that were tried with the proof, because each reveals whether a username is free. */
  names?: number
  sentAt: Date
  /** The code, or the proof once the code is verified, expires at this time. */
  expiresAt: Date
  verifiedAt: Date | null
  usedAt: Date | null
}

const schema = new Schema<PhoneVerification>(
  {
    _id: String,
    phone: { type: String, required: true },
    codeMac: { type: String, required: true },
    former: { type: { proofId: String, codeMac: String }, _id: false },
    askedFrom: { type: [String], default: undefined },
    guesses: { type: Number, required: true },
    names: Number,
    sentAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    verifiedAt: { type: Date, default: null },
    usedAt: { type: Date, default: null },
  },
  { collection: 'phone_verifications', versionKey: false },
)

/** Stores the codes that were sent, and the proofs for a later registration or change of number. */
export function createPhoneVerificationStore(connection: Connection) {
  const model = connection.model('PhoneVerification', schema)
  const proof = (id: string, phone: string, now: Date) => ({
    _id: id,
    // guard: proof-of-this-phone
    phone,
    verifiedAt: trusted({ $ne: null }),
    usedAt: null,
    expiresAt: trusted({ $gt: now }),
  })
  // `names` is absent before the first try, so the filter must match a missing field.
  const namesLeft = { names: trusted({ $not: { $gte: limits.namesPerPhoneProof } }) }
  return {
    byId: (id: string) => model.findById(id).lean<PhoneVerification>().exec(),
    insert: async (row: PhoneVerification, session: ClientSession) => {
      await model.collection.insertOne(row as never, { session })
    },
    pruneExpired: (before: Date, stopping?: AbortSignal) =>
      deleteInBatches(model.collection as never, { expiresAt: { $lt: before } }, stopping),

    /** Counts a guess before it is compared; resolves with null when no guess is left or the code has expired. */
    takeGuess: (id: string, now: Date) =>
      model
        .findOneAndUpdate(
          {
            _id: id,
            verifiedAt: null,
            expiresAt: trusted({ $gt: now }),
            // guard: phone-guesses
            guesses: trusted({ $lt: limits.phoneCodeMaxGuesses }),
          },
          { $inc: { guesses: 1 } },
          { lean: true, returnDocument: 'after' },
        )
        .exec() as Promise<PhoneVerification | null>,

    giveGuessBack: async (id: string) => {
      await model.updateOne({ _id: id, verifiedAt: null }, { $inc: { guesses: -1 } })
    },

    /** Resolves with false when the code was verified before. */
    verify: async (id: string, now: Date, proofUntil: Date) => {
      const set = { $set: { verifiedAt: now, expiresAt: proofUntil } }
      return (await model.updateOne({ _id: id, verifiedAt: null }, set)).modifiedCount === 1
    },

    hasProof: async (id: string, phone: string, now: Date) =>
      (await model.exists({ ...proof(id, phone, now), ...namesLeft })) !== null,

    /** Counts a username that is tried with the proof; resolves with false when no tries are left. */
    takeName: async (id: string, phone: string, now: Date) =>
      (await model.updateOne({ ...proof(id, phone, now), ...namesLeft }, { $inc: { names: 1 } }))
        .modifiedCount === 1,

    /** Uses up a proof of exactly this phone; resolves with false when there is none. */
    consume: async (id: string, phone: string, now: Date, session: ClientSession) =>
      (await model.updateOne(proof(id, phone, now), { $set: { usedAt: now } }, { session })).modifiedCount ===
      1,
  }
}
