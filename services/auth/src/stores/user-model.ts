import { Schema } from 'mongoose'
import type { Connection } from 'mongoose'
import type { User } from '../domain/user.ts'

const schema = new Schema<User>(
  {
    _id: String,
    username: { type: String, required: true },
    usernameKey: { type: String, required: true },
    email: { type: String, required: true },
    emailKey: { type: String, required: true },
    phone: { type: String, required: true },
    fullName: { type: String, required: true },
    passwordHash: { type: String, required: true },
    passwordChangedAt: Date,
    guesses: { sinceUnlock: Number, day: String, ofDay: Number, toldOn: String },
    userCode: { type: String, required: true },
    isPhoneVerified: { type: Boolean, required: true },
    isEmailVerified: { type: Boolean, required: true },
    isAdmin: { type: Boolean, required: true },
    pinMac: { type: String, default: null },
    isDiscreet: { type: Boolean, required: true },
    resetAt: Date,
    pendingReset: { dueAt: Date, tryAt: Date, sessionId: String },
    cancelledResetDueAt: Date,
    isClearPending: Boolean,
    silentHits: { type: Number, required: true },
    keys: { type: [Object], default: undefined },
    pinVersion: { type: Number, required: true },
    knownKeyCount: Number,
    purgeAt: Date,
    suspendedAt: Date,
    exportedOn: String,
    legalVersion: String,
    version: { type: Number, required: true },
    changedAt: Date,
    createdAt: { type: Date, required: true },
  },
  { collection: 'users', versionKey: false },
)

/** The stores of users, their keys and their known keys share this collection. */
export const userModelOf = (connection: Connection) => connection.model('User', schema)

/** Every increase of `version` also sets this. The database's clock is the same for all replicas. */
export const changedNow = { $currentDate: { changedAt: true } } as const
